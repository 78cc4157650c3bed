package python

import (
	"sextant/l2meta/resolve"
)

// standard lists the top-level modules of the standard libraries of Python 3.8 to 3.14.
var standard = resolve.Words("__future__ _abc _aix_support _ast _asyncio _bisect _blake2 _bootsubprocess _bz2 " +
	"_codecs _codecs_cn _codecs_hk _codecs_iso2022 _codecs_jp " +
	"_codecs_kr _codecs_tw _collections _collections_abc _compat_pickle _compression _contextvars _crypt _csv " +
	"_ctypes _curses _curses_panel " +
	"_datetime _dbm _decimal _elementtree _frozen_importlib _frozen_importlib_external _functools _gdbm _hashlib " +
	"_heapq _imp _io _json _locale " +
	"_lsprof _lzma _markupbase _md5 _msi _multibytecodec _multiprocessing _opcode _operator _osx_support " +
	"_overlapped _pickle _posixshmem " +
	"_posixsubprocess _py_abc _pydecimal _pyio _queue _random _scproxy _sha1 _sha256 _sha3 _sha512 _signal " +
	"_sitebuiltins _socket _sqlite3 _sre " +
	"_ssl _stat _statistics _string _strptime _struct _symtable _thread _threading_local _tkinter _tokenize " +
	"_tracemalloc _typing _uuid _warnings " +
	"_weakref _weakrefset _winapi _zoneinfo abc aifc annotationlib argparse array ast asynchat asyncio asyncore " +
	"atexit audioop base64 bdb " +
	"binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections " +
	"colorsys compileall compression " +
	"concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm " +
	"decimal difflib dis distutils " +
	"doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib " +
	"functools gc genericpath getopt " +
	"getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib " +
	"inspect io ipaddress itertools json " +
	"keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib " +
	"msvcrt multiprocessing netrc " +
	"nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle " +
	"pickletools pipes pkgutil platform " +
	"plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue " +
	"quopri random re readline " +
	"reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd " +
	"smtplib sndhdr socket socketserver " +
	"spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau " +
	"symtable sys sysconfig syslog " +
	"tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize tomllib " +
	"trace traceback tracemalloc tty " +
	"turtle turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser " +
	"winreg winsound wsgiref xdrlib xml " +
	"xmlrpc zipapp zipfile zipimport zlib zoneinfo ")

// builtins lists the names that are predefined in every module.
var builtins = resolve.Words("ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup " +
	"BlockingIOError BrokenPipeError BufferError BytesWarning " +
	"ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError " +
	"DeprecationWarning EOFError Ellipsis " +
	"EncodingWarning EnvironmentError Exception ExceptionGroup False FileExistsError FileNotFoundError " +
	"FloatingPointError FutureWarning " +
	"GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError " +
	"KeyError KeyboardInterrupt " +
	"LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented " +
	"NotImplementedError OSError OverflowError " +
	"PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError RecursionError " +
	"ReferenceError ResourceWarning " +
	"RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit " +
	"TabError TimeoutError True " +
	"TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError " +
	"UnicodeWarning UserWarning ValueError " +
	"Warning ZeroDivisionError __build_class__ __import__ abs aiter all anext any ascii bin bool breakpoint " +
	"bytearray bytes callable chr " +
	"classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float " +
	"format frozenset getattr globals " +
	"hasattr hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min " +
	"next object oct open ord pow " +
	"print property quit range repr reveal_type reversed round set setattr slice sorted staticmethod str sum super " +
	"tuple type vars zip ")

// builtinMembers maps each builtin type to the names of its members, except those of
// object.
var builtinMembers = map[string]map[string]bool{
	"str": resolve.Words("__add__ __contains__ __getitem__ __getnewargs__ __iter__ __len__ __mod__ __mul__ __rmod__ " +
		"__rmul__ capitalize casefold center " +
		"count encode endswith expandtabs find format format_map index isalnum isalpha isascii isdecimal isdigit " +
		"isidentifier islower " +
		"isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix " +
		"removesuffix replace rfind " +
		"rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill "),
	"bytes": resolve.Words("__add__ __bytes__ __contains__ __getitem__ __getnewargs__ __iter__ __len__ __mod__ " +
		"__mul__ __rmod__ __rmul__ capitalize center " +
		"count decode endswith expandtabs find fromhex hex index isalnum isalpha isascii isdigit islower isspace " +
		"istitle isupper join ljust " +
		"lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit " +
		"rstrip split splitlines " +
		"startswith strip swapcase title translate upper zfill "),
	"int": resolve.Words("__abs__ __add__ __and__ __bool__ __ceil__ __divmod__ __float__ __floor__ __floordiv__ " +
		"__getnewargs__ __index__ __int__ __invert__ " +
		"__lshift__ __mod__ __mul__ __neg__ __or__ __pos__ __pow__ __radd__ __rand__ __rdivmod__ __rfloordiv__ " +
		"__rlshift__ __rmod__ " +
		"__rmul__ __ror__ __round__ __rpow__ __rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__ __sub__ " +
		"__truediv__ __trunc__ __xor__ " +
		"as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator real to_bytes "),
	"float": resolve.Words("__abs__ __add__ __bool__ __ceil__ __divmod__ __float__ __floor__ __floordiv__ " +
		"__getformat__ __getnewargs__ __int__ __mod__ __mul__ " +
		"__neg__ __pos__ __pow__ __radd__ __rdivmod__ __rfloordiv__ __rmod__ __rmul__ __round__ __rpow__ __rsub__ " +
		"__rtruediv__ __sub__ " +
		"__truediv__ __trunc__ as_integer_ratio conjugate fromhex hex imag is_integer real "),
	"bool": resolve.Words("__abs__ __add__ __and__ __bool__ __ceil__ __divmod__ __float__ __floor__ __floordiv__ " +
		"__getnewargs__ __index__ __int__ __invert__ " +
		"__lshift__ __mod__ __mul__ __neg__ __or__ __pos__ __pow__ __radd__ __rand__ __rdivmod__ __rfloordiv__ " +
		"__rlshift__ __rmod__ " +
		"__rmul__ __ror__ __round__ __rpow__ __rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__ __sub__ " +
		"__truediv__ __trunc__ __xor__ " +
		"as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator real to_bytes "),
	"list": resolve.Words("__add__ __class_getitem__ __contains__ __delitem__ __getitem__ __iadd__ __imul__ " +
		"__iter__ __len__ __mul__ __reversed__ __rmul__ " +
		"__setitem__ append clear copy count extend index insert pop remove reverse sort "),
	"dict": resolve.Words("__class_getitem__ __contains__ __delitem__ __getitem__ __ior__ __iter__ __len__ __or__ " +
		"__reversed__ __ror__ __setitem__ clear copy " +
		"fromkeys get items keys pop popitem setdefault update values "),
	"set": resolve.Words("__and__ __class_getitem__ __contains__ __iand__ __ior__ __isub__ __iter__ __ixor__ " +
		"__len__ __or__ __rand__ __ror__ __rsub__ " +
		"__rxor__ __sub__ __xor__ add clear copy difference difference_update discard intersection " +
		"intersection_update isdisjoint issubset " +
		"issuperset pop remove symmetric_difference symmetric_difference_update union update "),
	"tuple": resolve.Words("__add__ __class_getitem__ __contains__ __getitem__ __getnewargs__ __iter__ __len__ " +
		"__mul__ __rmul__ count index "),
}
