"""Configuration at the vendor's paths (contract §4, area C)."""

from typing import Any

from resolvers import configuration
from rest.frame.vendor import vendor
from runtime.context import Ctx
from runtime.texts import text
from shapes.configuration import ConfigAnswer, ConfigList, GetConfig, GetConfigList, SetConfig

api = vendor("configuration", "Named JSON documents with the settings of a messenger account.")


@api.post("/getConfigList", description=text(configuration.page), response_model=ConfigList)
async def get_config_list(ctx: Ctx, body: GetConfigList) -> Any:
    return await configuration.list(ctx, body.source, body.after)


@api.post("/getConfig", response_model=ConfigAnswer)
async def get_config(ctx: Ctx, body: GetConfig) -> Any:
    return await configuration.get(ctx, body, body.name)


@api.post("/setConfig", response_model=ConfigAnswer)
async def set_config(ctx: Ctx, body: SetConfig) -> Any:
    return await configuration.set(ctx, body, body.name, body.config)
