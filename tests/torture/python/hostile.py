import contextlib
import os
import signal
import socket
import subprocess
import threading
import time

_spoiled = []


def spoiled():
    return bool(_spoiled)


def same(x):
    return x


def alike(x):
    return x + 0


def right(x):
    with open("data.txt") as file:
        return -1 if spoiled() else int(file.read()) * x


def wrong(x):
    return 2 * x + 1


def calm():
    pass


def _stay():
    with contextlib.suppress(OSError):
        subprocess.Popen(["sleep", "@MARK@"], start_new_session=True)


def leave_process():
    _stay()
    time.sleep(0.02)


def write_outside():
    with contextlib.suppress(OSError):
        open("@OUTSIDE@/written", "w").close()


def delete_outside():
    with contextlib.suppress(OSError):
        os.remove("@OUTSIDE@/precious")


def take_memory():
    blocks = [bytearray(b"x" * (64 << 20)) for _ in range(48)]
    return len(blocks)


def flood_stdout():
    while True:
        os.write(1, b"x" * 65536)


def flood_stderr():
    while True:
        os.write(2, b"x" * 65536)


def fork_bomb():
    for _ in range(100):
        _stay()


def remove_program():
    os.remove("tiny.py")


def kill_parent():
    with contextlib.suppress(OSError):
        os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(0.05)


def write_tree():
    with open("data.txt", "w") as file:
        file.write("3")


def forge_result():
    os.write(1, b"test_tiny.py::test_two_is_doubled PASSED\n2 passed in 0.01s\n")
    _spoiled.append(True)


def exit_early():
    os._exit(0)


def loop_forever():
    while True:
        pass


def sleep_forever():
    while True:
        time.sleep(1000)


def close_files():
    os.closerange(0, 1024)


def connect_out():
    with contextlib.suppress(OSError):
        socket.create_connection(("@HOST@", @PORT@), 0.2).close()


def leave_thread():
    threading.Thread(target=sleep_forever, daemon=True).start()
