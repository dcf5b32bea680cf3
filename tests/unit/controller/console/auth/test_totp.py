"""The second factor against the vectors of RFC 6238, appendix B, and its own rules."""

import base64

from controller.console.auth import totp
from controller.console.auth.totp import TypedCode
from support.rows import each_row

SEED = b"12345678901234567890"
SECRET = base64.b32encode(SEED).decode()
SHA256, SHA512 = (SEED * 2)[:32], (SEED * 4)[:64]
TIMES = (59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000)
VECTORS = {
    "sha1": (SEED, ("94287082", "07081804", "14050471", "89005924", "69279037", "65353130")),
    "sha256": (SHA256, ("46119246", "68084774", "67062674", "91819424", "90698825", "77737706")),
    "sha512": (SHA512, ("90693936", "25091201", "99943326", "93441116", "38618901", "47863826")),
}


@each_row("algorithm", VECTORS)
def test_codes_are_those_of_the_rfc(algorithm: str) -> None:
    key, codes = VECTORS[algorithm]
    found = tuple(totp.code_at(key, at // 30, 8, algorithm) for at in TIMES)
    assert found == codes


def test_six_digits_are_the_last_of_eight() -> None:
    assert totp.code_at(SEED, 59 // 30) == "287082"


@each_row("late, fits", [(-31, False), (-30, True), (0, True), (59, True), (61, False)])
def test_a_clock_may_be_one_step_off(late: int, fits: bool) -> None:
    code = totp.code_at(SEED, 1000)
    found = totp.matching_step(SECRET, TypedCode(code, 30_000.0 + late), 0)
    assert (found == 1000) is fits


def test_a_code_is_used_once_and_none_before_it_afterwards() -> None:
    code, before = totp.code_at(SEED, 1000), totp.code_at(SEED, 999)
    assert totp.matching_step(SECRET, TypedCode(code, 30_000.0), 1000) is None
    assert totp.matching_step(SECRET, TypedCode(before, 30_000.0), 1000) is None


@each_row("typed", ["", "28708", "2870820", "٢٨٧٠٨٢", "-28708", "287082\n"])
def test_what_is_no_code_fits_nothing(typed: str) -> None:
    assert totp.matching_step(SECRET, TypedCode(typed, 59.0), 0) is None


def test_uri_is_what_apps_read() -> None:
    found = totp.uri("GEZDGNBV", "mia", "table 1")
    assert found == (
        "otpauth://totp/Sabot%20table%201%3Amia?secret=GEZDGNBV&issuer=Sabot%20table%201"
        "&algorithm=SHA1&digits=6&period=30"
    )


def test_new_secret_is_a_key_of_its_length() -> None:
    assert totp.key_of(totp.new_secret(bytes(range(totp.KEY_BYTES)))) == bytes(range(20))
