"""An authority of the lab's own, so that a served web can have https pages; it is forgotten afterwards."""

from __future__ import annotations

import ssl
from functools import lru_cache
from pathlib import Path

__all__ = ["Authority"]


class Authority:
    """Certificates for any host name, believed by whoever trusts ``file``.

    Parameters
    ----------
    folder : Path
        Where its own certificate is written. Its key stays in memory.
    """

    def __init__(self, folder: Path) -> None:
        try:
            import trustme
        except ImportError as missing:
            raise ImportError("serving https pages needs trustme; pip install 'focuslab[https]'") from missing
        self._own = trustme.CA(organization_name="focuslab, for this run")
        self.file = folder / "authority.pem"
        self._own.cert_pem.write_to_path(str(self.file))
        self.context = lru_cache(maxsize=10_000)(self._context)

    def _context(self, host: str) -> ssl.SSLContext:
        """What a server with this name shows its visitors."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._own.issue_cert(host).configure_cert(context)
        return context
