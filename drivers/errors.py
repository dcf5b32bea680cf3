"""The errors of devices, as one tree:

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
    """The base class of all device errors; never raised itself."""


class LinkError(DeviceError):
    """An unusable port: it does not exist, is not permitted, is in use, or its cable came out."""


class LinkTimeout(LinkError, TimeoutError):
    """An open port without progress: for example a device server that stopped answering."""


class WrongDevice(LinkError):
    """No device matches, or more than one does."""

    def __init__(self, text: str, unit: str = "") -> None:
        super().__init__(text)
        self.unit = unit
        """The enrolment of the unit that is there instead."""


class ProtocolError(DeviceError):
    """A message that the device should never have sent, well-formed or not."""


class FrameError(ProtocolError):
    """A frame with an impossible length, checksum, terminator or field."""


class UnsupportedCommand(DeviceError):
    """A command that the device does not have: a lock for a read-only shoe, hands from a
    shuffler."""


class BadSetting(DeviceError):
    """A bad setting, such as `seq = "1-8"` or `bawd = 4800`: its name and the possible values."""
