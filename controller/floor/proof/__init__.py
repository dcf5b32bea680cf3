"""Long-term proof: hourly roots over all heads, months in archive files, and independent checks of
both."""
