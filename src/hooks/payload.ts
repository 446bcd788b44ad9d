/** What a hook reads on stdin: one JSON object and a newline, in Claude Code's fields. */
import type { Occasion } from './dispatch.ts';
import { HOOK_EVENTS } from './events.ts';
import type { HookHost } from './host.ts';

export function payloadText(host: HookHost, { event, fields }: Occasion): string {
  const promptId = host.promptId();
  const takesMode = 'permission_mode' in HOOK_EVENTS[event].payload.properties;
  return `${JSON.stringify({
    session_id: host.sessionId,
    transcript_path: host.transcriptPath(),
    cwd: host.workplace.cwd,
    ...(promptId === undefined ? {} : { prompt_id: promptId }),
    hook_event_name: event,
    ...(takesMode ? { permission_mode: host.current().permissionMode } : {}),
    ...fields,
  })}\n`;
}
