/** The version of this build. */

declare const HOOKD_VERSION: string | undefined;

/** The bundler fills it in; a run from the sources says so. */
export const VERSION = typeof HOOKD_VERSION === 'string' ? HOOKD_VERSION : 'development';
