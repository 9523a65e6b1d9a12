"""The faults of a seed: the same each time, and each process is among them."""

from killtest.faults import LONG_FREEZE, schedule


def test_the_faults_of_a_seed_are_the_same():
    first, again, other = (schedule(seed, ["a", "b"], ["a"], disk=True) for seed in (1, 1, 2))
    assert first == again != other
    shares = [fault.share for fault in first]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] <= 0.9


def test_each_process_is_killed_and_each_sender_twice():
    faults = schedule(3, ["a", "b", "store"], ["a", "b"], disk=False)
    killed = [fault.target for fault in faults if fault.kind == "kill"]
    assert sorted(killed) == ["a", "a", "b", "b", "store"]
    frozen = {fault.target: fault.seconds for fault in faults if fault.kind == "freeze"}
    assert frozen == {"a": LONG_FREEZE, "b": 8.0}
    assert {fault.kind for fault in faults} == {"kill", "freeze", "power", "black_hole", "provider_down"}
