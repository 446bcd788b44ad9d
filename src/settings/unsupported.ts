/**
 * Settings of Claude Code, and of later versions of hookd, that this version knows by name and does not have.
 * A key whose absence would loosen what its writer relies on is an error, so that no guard is silently missing.
 */
import { isObject } from '../core/json.ts';

export interface UnsupportedKey {
  /** True when ignoring this value would let through what it is meant to stop. Absent: never. */
  readonly guards?: (value: unknown) => boolean;
  /** What the reader loses, for the error. */
  readonly loss?: string;
}

const harmless: UnsupportedKey = {};
const isSwitchedOn = (value: unknown): boolean => value !== false && value !== null;
const isEnabled = (value: unknown): boolean =>
  isObject(value) ? 'enabled' in value && isSwitchedOn(value.enabled) : isSwitchedOn(value);

const HARMLESS_AT_TOP = [
  'advisorModel',
  'agent',
  'allowManagedMcpServersOnly',
  'allowedChannelPlugins',
  'allowedMcpServers',
  'alwaysThinkingEnabled',
  'apiKeyHelper',
  'attribution',
  'autoMemoryDirectory',
  'autoMemoryEnabled',
  'autoMode',
  'autoUpdates',
  'autoUpdatesChannel',
  'availableModels',
  'awsAuthRefresh',
  'awsCredentialExport',
  'blockedMarketplaces',
  'channelsEnabled',
  'claudeMdExcludes',
  'cleanupPeriodDays',
  'companyAnnouncements',
  'defaultShell',
  'deniedMcpServers',
  'disableAutoMode',
  'disableDeepLinkRegistration',
  'disabledMcpjsonServers',
  'editorMode',
  'effortLevel',
  'enableAllProjectMcpServers',
  'enabledMcpjsonServers',
  'enabledPlugins',
  'extraKnownMarketplaces',
  'fastMode',
  'feedbackSurveyRate',
  'fileSuggestion',
  'forceLoginMethod',
  'forceLoginOrgUUID',
  'gcpAuthRefresh',
  'includeCoAuthoredBy',
  'includeGitInstructions',
  'language',
  'minimumVersion',
  'modelOverrides',
  'otelHeadersHelper',
  'outputStyle',
  'plansDirectory',
  'pluginConfigs',
  'prefersReducedMotion',
  'preferredNotifChannel',
  'respectGitignore',
  'showClearContextOnPlanAccept',
  'showThinkingSummaries',
  'showTurnDuration',
  'skipDangerousModePermissionPrompt',
  'skipWebFetchPreflight',
  'spinnerTipsEnabled',
  'spinnerTipsOverride',
  'spinnerVerbs',
  'statusLine',
  'strictKnownMarketplaces',
  'teammateMode',
  'terminalProgressBarEnabled',
  'theme',
  'useAutoModeDuringPlan',
  'verbose',
  'viewMode',
  'voiceEnabled',
  'worktree',
];

export const UNSUPPORTED_TOP_LEVEL: ReadonlyMap<string, UnsupportedKey> = new Map([
  ...HARMLESS_AT_TOP.map((key) => [key, harmless] as const),
  ['sandbox', { guards: isEnabled, loss: 'commands would run outside the sandbox' }],
]);

export const UNSUPPORTED_PERMISSIONS: ReadonlyMap<string, UnsupportedKey> = new Map([
  // It switches off a mode that we do not have.
  ['disableAutoMode', harmless],
  [
    'blockReadsOutsideWorkingDirectories',
    { guards: isSwitchedOn, loss: 'reads outside the workspace would ask instead of being refused' },
  ],
  [
    'blockWritesOutsideWorkingDirectories',
    { guards: isSwitchedOn, loss: 'writes outside the workspace would ask instead of being refused' },
  ],
  ['denyInsteadOfPrompting', { guards: isSwitchedOn, loss: 'a human could be asked' }],
]);
