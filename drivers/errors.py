"""What can go wrong with a device, as one tree:

    DeviceError              the device's name, and what to do
    ├── LinkError            the operating system refused: cannot open, unplugged, busy
    │   ├── LinkTimeout      also a TimeoutError: nothing came, or nothing could be sent, in time
    │   └── WrongDevice      none or several match, or it is not the enrolled one
    ├── ProtocolError        the device broke its own protocol
    │   └── FrameError       length, checksum, terminator: raised by codecs, an event above them
    ├── UnsupportedCommand   this model, firmware or setting cannot do that
    └── BadSetting           a driver's setting that is unknown or out of range; only while starting

A damaged frame and a lost link are not errors for the table: they are events (`BadFrame`,
`LinkLost`), because they are recorded, shown and replayed. Our own misuse is an `AssertionError`.
"""


class DeviceError(Exception):
    """Something is wrong with a device; never raised itself."""


class LinkError(DeviceError):
    """No such port, no permission, another program has it, the cable came out."""


class LinkTimeout(LinkError, TimeoutError):
    """The port is open and does not move: a device server that stopped answering."""


class WrongDevice(LinkError):
    """No device fits what was asked for, or more than one does."""

    def __init__(self, text: str, unit: str = "") -> None:
        super().__init__(text)
        self.unit = unit
        """What the unit that is there instead is known by."""


class ProtocolError(DeviceError):
    """Well-formed or not, the device should never have sent this."""


class FrameError(ProtocolError):
    """A frame whose length, checksum, terminator or field cannot be."""


class UnsupportedCommand(DeviceError):
    """A read-only shoe asked to lock itself, a shuffler that cannot deal hands."""


class BadSetting(DeviceError):
    """`seq = "1-8"`, `bawd = 4800`: names the setting and what it may be."""
