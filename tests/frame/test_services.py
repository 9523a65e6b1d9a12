"""`Services.single` makes an object once, and `Services.close` closes it."""

from runtime.services import open_services


class First: ...


class Second(First): ...


async def test_a_process_has_one_of_each_class(settings):
    here, there = open_services(settings), open_services(settings)
    first = here.single(First, First)
    assert here.single(First, First) is first
    assert type(here.single(Second, Second)) is Second  # a subclass is another class
    assert there.single(First, First) is not first
    await here.close()
    await there.close()


async def test_the_newest_is_closed_first(settings):
    closed = []

    async def close(single: First) -> None:
        closed.append(type(single).__name__)

    async def close_first(single: First) -> None:
        await close(single)
        if len(closed) < 3:
            services.single(First, First, close)  # somebody asks for it once more while all is closed

    services = open_services(settings)
    services.single(First, First, close_first)
    services.single(Second, Second, close)
    services.single(object, object)  # which needs no closing
    await services.close()
    assert closed == ["Second", "First", "First"]
