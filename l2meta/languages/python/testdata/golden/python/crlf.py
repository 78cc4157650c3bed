import os


class Größe:
    """Maß in µm.

    Zweite Zeile.
    """

    wert = os.getenv("X")

    def länge(self, 名前="ü"):
        # kurz
        return len(名前)


def haupt():
    return Größe().länge()
