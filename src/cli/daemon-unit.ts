/** `hookd daemon unit`: a systemd user unit for this installation. */
import { EXIT, HookdError } from '../core/errors.ts';
import type { Output } from './output.ts';

export function unitCommand(json: boolean, output: Output): number {
  const script = process.argv[1];
  if (script === undefined) throw new HookdError('INTERNAL', 'The program file of hookd is unknown.');
  const unit = unitLines([process.execPath, script]).join('\n');
  output.result(json ? JSON.stringify({ unit: `${unit}\n` }) : unit);
  return EXIT.done;
}

/** systemd reads `%` as the beginning of a specifier, and `$` as that of a variable. */
function unitLines(program: readonly string[]): readonly string[] {
  const words = program.map((word) =>
    /^[\w/.+-]+$/.test(word)
      ? word
      : `"${word.replace(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`,
  );
  return [
    '# hookd daemon unit > ~/.config/systemd/user/hookd.service',
    '# systemctl --user daemon-reload && systemctl --user enable --now hookd',
    '# loginctl enable-linger   (it then runs without a login, too)',
    '[Unit]',
    'Description=hookd, an agent daemon whose policy belongs to its user',
    '',
    '[Service]',
    `ExecStart=${words.join(' ')} daemon run`,
    '# More than the grace of running turns (10 s), SessionEnd hooks and the last records.',
    'TimeoutStopSec=90',
    '# The end in order concerns the daemon alone: it ends what it has started itself.',
    'KillMode=mixed',
    'Restart=on-failure',
    'RestartSec=2',
    'UMask=0077',
    '# Keys: in $HOOKD_HOME/.env, or here: Environment=ANTHROPIC_API_KEY=…',
    '',
    '[Install]',
    'WantedBy=default.target',
  ];
}
