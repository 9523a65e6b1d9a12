"""The list itself: what a line may be, what an address may be, and that both mean what `ipaddress` says."""

import ipaddress
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.http.allowlist import MAX_LINES, Allowlist, AllowlistMode, BadAllowlist
from tests.support.examples import examples


def parse(*lines: str) -> Allowlist:
    return Allowlist.parse("\n".join(lines), "list.conf")


# --- what a line may be


def test_comments_blanks_bom_and_crlf_are_fine():
    listed = Allowlist.parse(
        "\ufeff# the office\r\n\r\n  10.0.0.0/8  # all of it\r\n\t192.0.2.7\t\r\n2001:db8::/32#v6\n#end", "f"
    )
    assert listed.entries == 3
    for ip in ("10.255.255.255", "192.0.2.7", "2001:db8:ffff::1"):
        assert listed.contains(ip)
    for ip in ("11.0.0.0", "192.0.2.8", "2001:db9::"):
        assert not listed.contains(ip)


def test_the_empty_list_holds_nobody():
    assert parse("", "# nothing").entries == 0
    assert not parse("").contains("127.0.0.1")
    assert not parse("").contains("::")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("10.0.0.5/8", "write 10.0.0.0/8 for the network, or 10.0.0.5 for the one address"),
        ("2001:db8::1/64", "write 2001:db8::/64 for the network, or 2001:db8::1"),
        ("::ffff:10.0.0.5/104", "write 10.0.0.0/8"),
        ("::ffff:0:0/80", "host bits"),
        ("10.0.0.0/0.0.0.255", "no mask"),
        ("10.0.0.0/255.0.0.0", "no mask"),
        ("10.0.0.0/08", "0 to 32"),
        ("10.0.0.0/33", "0 to 32"),
        ("10.0.0.0/-1", "0 to 32"),
        ("10.0.0.0/", "0 to 32"),
        ("10.0.0.0/٨", "0 to 32"),
        ("2001:db8::/129", "0 to 128"),
        ("10.0.0.0/8/8", "0 to 32"),
        ("10.0.0.1-10.0.0.9", "range"),
        ("10", "not an IPv4 or IPv6"),
        ("0x0a000001", "not an IPv4 or IPv6"),
        ("10.0.0", "not an IPv4 or IPv6"),
        ("10.0.0.*", "not an IPv4 or IPv6"),
        ("010.0.0.1", "not an IPv4 or IPv6"),
        ("256.0.0.1", "not an IPv4 or IPv6"),
        ("１0.0.0.1", "not an IPv4 or IPv6"),
        ("fe80::1%eth0", "scope id"),
        ("[::1]", "not an IPv4 or IPv6"),
        ("1.2.3.4:80", "not an IPv4 or IPv6"),
        ("localhost", "not an IPv4 or IPv6"),
        ("10.0.0.1 10.0.0.2", "one a line"),
        ("10.0.0.1,10.0.0.2", "one a line"),
        ("allow 10.0.0.1;", "one a line"),
        ("10.0.0.1\r10.0.0.2", "one a line"),
        ("10.0.0.1\x0b", "one a line"),
        ("10.0.0.1\u2028", "one a line"),
        ("10.0.0.1\x00", "not an IPv4 or IPv6"),
        ("1" * 5000, "one a line"),
    ],
)
def test_one_bad_line_refuses_the_list_and_is_named(line, why):
    with pytest.raises(BadAllowlist) as caught:
        parse("# fine", "192.0.2.1", line, "192.0.2.2")
    assert caught.value.line == 3
    assert str(caught.value).startswith("list.conf:3: ")
    assert why in str(caught.value)
    assert len(str(caught.value)) < 400
    assert str(caught.value).isprintable()


def test_too_many_lines_are_refused():
    assert Allowlist.parse("#\n" * MAX_LINES, "f").entries == 0
    with pytest.raises(BadAllowlist, match="200000 lines"):
        Allowlist.parse("#\n" * (MAX_LINES + 1), "f")


# --- what an address may be


@pytest.mark.parametrize(
    "ip",
    [
        *("", " ", "-", "unknown", "10.1.1.1 ", " 10.1.1.1", "10.1.1.1\t", "10.1.1.1\n", "10.1.1.1\x00"),
        *(
            "10.1.1.1, 10.1.1.1",
            "10.1.1.1,10.1.1.1",
            "10.1.1.1:80",
            "[::1]",
            "[::1]:80",
            "10.1.1.1/32",
            "::/0",
        ),
        *("010.1.1.1", "10.1.1.01", "0xa.1.1.1", "10.1", "167837953", "10.1.1.1.", "10.1.1", "１０.1.1.1"),
        *("fe80::1%eth0", "::1%", "::ffff:010.1.1.1", "1::2::3", ":::", "g::", "::ffff:10.1.1.1:1"),
        "0" * 10_000,
        "\ud800",
    ],
)
def test_anything_but_one_plain_address_is_not_contained(ip):
    assert not parse("0.0.0.0/0", "::/0").contains(ip)


@pytest.mark.parametrize("ip", ["10.1.1.1", "::ffff:10.1.1.1", "::FFFF:0a01:0101", "0:0:0:0:0:ffff:10.1.1.1"])
@pytest.mark.parametrize(
    "line", ["10.0.0.0/8", "::ffff:10.0.0.0/104", "::ffff:10.1.1.1", "::ffff:a01:101/128"]
)
def test_mapped_addresses_are_ipv4_on_both_sides(line, ip):
    assert parse(line).contains(ip)
    assert not parse(line).contains("10.1.1.1".replace("10.", "11."))


def test_other_embeddings_are_not_unmapped():
    listed = parse("10.0.0.0/8")
    for ip in ("::10.1.1.1", "64:ff9b::10.1.1.1", "2002:a01:101::"):
        assert not listed.contains(ip)


def test_all_of_ipv6_is_not_all_of_ipv4():
    assert not parse("::/0").contains("10.1.1.1")
    assert not parse("::/0").contains("::ffff:10.1.1.1")
    assert not parse("0.0.0.0/0").contains("::1")


@pytest.mark.parametrize(
    ("lines", "everyone"),
    [
        (["0.0.0.0/0"], True),
        (["::/0"], True),
        (["0.0.0.0/1", "128.0.0.0/1"], True),
        (["0.0.0.0/1"], False),
        (["::/1", "10.0.0.0/8"], False),
        ([""], False),
    ],
)
def test_everyone(lines, everyone):
    assert parse(*lines).everyone is everyone


def test_neighbours_and_overlaps_become_one_range():
    listed = parse("10.0.0.0/25", "10.0.0.128/25", "10.0.0.7", "10.0.1.0/24", "10.0.0.7")
    assert listed.entries == 5
    assert (listed.v4_first, listed.v4_last) == ((0x0A000000,), (0x0A0001FF,))


class Counting(int):
    """A number that counts how often it is compared."""

    compared = 0

    def __lt__(self, other):
        Counting.compared += 1
        return int(self) < other

    def __le__(self, other):
        Counting.compared += 1
        return int(self) <= other


def test_a_lookup_among_100_000_networks_compares_a_score_of_times():
    listed = parse(*(f"{ipaddress.IPv4Address(n << 9)}/28" for n in range(100_000)))
    assert len(listed.v4_first) == 100_000
    for number in random.Random(3).sample(range(2**32), 100):
        Counting.compared = 0
        assert listed.contains_number(4, Counting(number)) == (number >> 9 < 100_000 and number & 511 < 16)
        assert Counting.compared <= 18


# --- the same as ipaddress

v4 = st.integers(0, 2**32 - 1).map(ipaddress.IPv4Address)
v6 = st.one_of(
    st.integers(0, 2**128 - 1),
    st.integers(0, 2**32 - 1).map(lambda n: 0xFFFF_0000_0000 | n),
    st.integers(0, 2**20),
).map(ipaddress.IPv6Address)


def network_of(ip, bits):
    return ipaddress.ip_network((ip, min(bits, ip.max_prefixlen)), strict=False)


networks = st.builds(network_of, st.one_of(v4, v6), st.integers(0, 128))
mapped_block = ipaddress.ip_network("::ffff:0:0/96")


def unmapped(ip):
    return getattr(ip, "ipv4_mapped", None) or ip


def unmapped_network(network):
    if network.version == 6 and network.subnet_of(mapped_block):
        return ipaddress.ip_network((network.network_address.ipv4_mapped, network.prefixlen - 96))
    return network


@st.composite
def lists_and_addresses(draw):
    listed = draw(st.lists(networks, max_size=12))
    edges = [network[at] for network in listed for at in (0, -1)]
    near = [
        edge + step for edge in edges for step in (-1, 0, 1) if 0 <= int(edge) + step < 2**edge.max_prefixlen
    ]
    return listed, draw(st.lists(st.one_of(v4, v6, *([st.sampled_from(near)] if near else [])), min_size=1))


@given(lists_and_addresses())
@settings(max_examples=examples(100), deadline=None)
def test_agrees_with_ipaddress(case):
    listed, ips = case
    allowlist = parse(*map(str, listed))
    plain = [unmapped_network(network) for network in listed]
    for ip in ips:
        expected = any(unmapped(ip) in network for network in plain)
        assert allowlist.contains(str(ip)) == expected
        assert allowlist.contains(ip.exploded) == expected


@given(st.one_of(st.text(max_size=50), st.text(alphabet="0123456789abcdefABCDEF.:%/ ", max_size=45)))
@settings(max_examples=examples(100), deadline=None)
def test_no_text_is_taken_for_an_address_that_ipaddress_refuses(text):
    try:
        ip = ipaddress.ip_address(text)
        address = getattr(ip, "scope_id", None) is None
    except ValueError:
        address = False
    assert parse("0.0.0.0/0", "::/0").contains(text) == address


@given(st.text(max_size=60))
@settings(max_examples=examples(100), deadline=None)
def test_any_text_parses_or_is_refused_by_name(text):
    try:
        Allowlist.parse(text, "f")
    except BadAllowlist as refused:
        assert str(refused).startswith("f:")


@pytest.mark.parametrize(
    ("text", "mode"),
    [("Off", AllowlistMode.Off), ("OFF", AllowlistMode.Off), (" enforce ", AllowlistMode.Enforce)],
)
def test_the_mode_is_read_without_regard_to_case(text, mode):
    assert AllowlistMode.parse(text) is mode


@pytest.mark.parametrize("text", ["", "on", "true", "enforcing"])
def test_an_unknown_mode_is_refused(text):
    with pytest.raises(ValueError, match="write Off"):
        AllowlistMode.parse(text)
