"""An agent on the ACP SDK for Python: streams, announces a tool call, asks for permission, and says what it was told."""

from __future__ import annotations

import asyncio
import uuid

from acp import Agent, Client, run_agent
from acp.schema import (
    AgentMessageChunk,
    Implementation,
    InitializeResponse,
    NewSessionResponse,
    PermissionOption,
    PromptResponse,
    TextContentBlock,
    ToolCallProgress,
    ToolCallStart,
    ToolCallUpdate,
)


class AskingAgent(Agent):
    def on_connect(self, conn: Client) -> None:
        self.client = conn
        self.turns = 0

    async def initialize(self, protocol_version, **kwargs):
        return InitializeResponse(
            protocol_version=1, agent_info=Implementation(name="asking-agent", version="1")
        )

    async def new_session(self, cwd, mcp_servers=None, **kwargs):
        return NewSessionResponse(session_id=uuid.uuid4().hex)

    async def say(self, session_id: str, text: str) -> None:
        content = TextContentBlock(type="text", text=text)
        await self.client.session_update(
            session_id, AgentMessageChunk(session_update="agent_message_chunk", content=content)
        )

    async def prompt(self, session_id, prompt, **kwargs):
        self.turns += 1
        call = f"call-{self.turns}"
        await self.say(session_id, "May I? ")
        await self.client.session_update(
            session_id,
            ToolCallStart(
                session_update="tool_call", tool_call_id=call, title="Write notes", status="pending"
            ),
        )
        answer = await self.client.request_permission(
            session_id,
            ToolCallUpdate(tool_call_id=call, title="Write notes"),
            [
                PermissionOption(option_id="no", name="No", kind="reject_once"),
                PermissionOption(option_id="yes", name="Yes", kind="allow_once"),
            ],
        )
        chosen = getattr(answer.outcome, "option_id", None)
        allowed = chosen == "yes"
        await self.client.session_update(
            session_id,
            ToolCallProgress(
                session_update="tool_call_update",
                tool_call_id=call,
                status="completed" if allowed else "failed",
            ),
        )
        await self.say(session_id, "Written." if allowed else "Left alone.")
        return PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    asyncio.run(run_agent(AskingAgent()))
