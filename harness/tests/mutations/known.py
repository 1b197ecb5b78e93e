"""What need not be found out again as long as a program is the same."""
import hashlib


class Known:
    """That `what` holds for `program`, kept as an empty file in BUILD_FOLDER/mutations."""

    def __init__(self, build, program, what):
        text = f'{program} {program.stat().st_mtime_ns} {what}'
        self.file = build / 'mutations' / 'known' / hashlib.sha256(text.encode()).hexdigest()

    def was_kept(self):
        return self.file.exists()

    def keep(self):
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.touch()
