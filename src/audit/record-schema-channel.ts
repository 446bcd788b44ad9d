/** The kinds of record about the channel itself: its files, its place, its room. */
import Type from 'typebox';
import { as, digest, HookShape, kind, maybeId, oneOf, ProcessShape, text, whole } from './record-shapes.ts';

export const CHANNEL_RECORDS = {
  segment_rotated: kind('The file before was full, or of another day: the chain goes on in this one.', {
    reason: oneOf(['size', 'day'], 'why'),
    after: digest('hash of the last record of the file before'),
    previous: Type.String({ description: 'the file before' }),
  }),
  checkpoint: kind(
    'How long the chain was, and its head, when this was first written: something short to keep elsewhere.',
    {
      count: whole('how many records stood before this one'),
      head: digest('hash of the last of them'),
    },
  ),
  leftover_process: kind(
    'A process that a killed hookd left running, of a call or a hook whose end is not on record: it is ended.',
    {
      tool_use_id: maybeId,
      of_writer: Type.String({ description: 'the chain of the killed hookd' }),
      of_session: Type.Optional(Type.String({ description: 'the session of the call or hook' })),
      process: as(ProcessShape, 'the process, as it is on record there'),
      hook: Type.Optional(as(HookShape, 'of a hook: which one')),
      state: oneOf(['found', 'ended', 'still_running'], '`found`: before anything is done about it'),
    },
  ),
  chain_removed: kind(
    'A chain that had ended is removed, because settings say so. Written before; and again before what said it is removed itself.',
    {
      of_writer: Type.String({ description: 'the chain' }),
      reason: oneOf(['age', 'count'], '`age`: `audit.keepDays`; `count`: `audit.keepChains`'),
      files: whole('how many files it had'),
      bytes: whole('their size'),
      last_seq: whole('number of its last record'),
      last_hash: digest('hash of its last record'),
    },
  ),
  disk_space: kind('Free space where the log lies has crossed a mark.', {
    state: oneOf(
      ['enough', 'low', 'below_floor'],
      '`low`: everybody is warned; `below_floor`: nothing new begins',
    ),
    directory: text('where the log lies'),
    free: whole('free bytes'),
    low_water: whole('the upper mark, in bytes'),
    floor: whole('the lower mark, in bytes'),
  }),
  sink_state: kind('A sink begins, takes nothing any more, lags, or has caught up.', {
    sink: text('which'),
    required: Type.Boolean({ description: 'barriers wait for it' }),
    state: oneOf(['started', 'failed', 'lagging', 'current'], 'what it does'),
    behind: whole('how many durable records it has not taken'),
    detail: Type.Optional(text('why')),
  }),
} as const;
