"""The products that ran here, and the patterns."""

from killtest.adapters.port import Adapter
from killtest.adapters.postern import PosternHttp, PosternProject, PosternSingle, PosternSmpp

ADAPTERS: dict[str, type[Adapter]] = {
    adapter.name: adapter for adapter in (PosternSingle, PosternProject, PosternSmpp, PosternHttp)
}
