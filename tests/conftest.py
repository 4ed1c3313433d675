"""What every test may rely on."""

import signal

# A background job of a shell starts with SIGINT ignored, and so would every process that a test starts and interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
