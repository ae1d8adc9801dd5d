"""The files of the pages, which are for everybody: a proxy of another user may serve them."""

from pathlib import Path
from typing import Any

from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage


class PublicCompressor(Compressor):  # type: ignore[misc]
    """Leave the compressed files as readable as Django leaves the others."""

    def write_data(self, *args: Any, **kwargs: Any) -> str:
        written: str = super().write_data(*args, **kwargs)
        Path(written).chmod(0o644)
        return written


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    def create_compressor(self, **kwargs: Any) -> PublicCompressor:
        return PublicCompressor(**kwargs)
