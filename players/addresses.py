"""Mail addresses: which ones mail can be sent to, and the one form in which each is stored."""

from email_validator import EmailNotValidError, validate_email


def clean(text: str) -> str:
    """The stored form of an address: lower case, the domain as the mail system spells it.

    Raises ValueError for a malformed address, and for a local part that is quoted or not ASCII,
    which many mail servers do not take.

    >>> clean("Ada@B\u00fccher.example.org")
    'ada@xn--bcher-kva.example.org'
    """
    try:
        checked = validate_email(
            text, check_deliverability=False, allow_smtputf8=False, strict=True
        )
    except EmailNotValidError as error:
        raise ValueError("Enter a valid email address.") from error
    return str(checked.ascii_email).lower()
