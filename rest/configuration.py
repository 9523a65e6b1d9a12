"""Configuration at the vendor's paths (contract §4, area C)."""

from typing import Any

from resolvers import configuration
from rest.frame.vendor import vendor
from runtime.context import Ctx
from shapes.configuration import ConfigAnswer, ConfigList, GetConfig, GetConfigList, SetConfig

api = vendor("configuration", "Named JSON documents with the settings of a messenger account.")


@api.post("/getConfigList", response_model=ConfigList)
async def get_config_list(ctx: Ctx, body: GetConfigList) -> Any:
    """Lists the documents of all your messenger accounts."""
    return await configuration.list(ctx, body.source, body.after)


@api.post("/getConfig", response_model=ConfigAnswer)
async def get_config(ctx: Ctx, body: GetConfig) -> Any:
    """Returns one document of an account; `default` always exists."""
    return await configuration.get(ctx, body, body.name)


@api.post("/setConfig", response_model=ConfigAnswer)
async def set_config(ctx: Ctx, body: SetConfig) -> Any:
    """Replaces one document of an account; `{}` deletes it. docs/messengers.md lists the keys of `default`."""
    return await configuration.set(ctx, body, body.name, body.config)
