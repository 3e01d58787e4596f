/**
 * npm runs this before `npm start`. It builds what is missing or was built from other sources, and prints nothing
 * when there is nothing to do. The server itself never builds.
 */
import { existsSync } from 'node:fs';
import { builtFingerprints, fingerprints } from './fingerprint.mjs';
import { CLIENT_ENTRY, hasBuildTools, hasClientSources, SERVER_ENTRY } from './paths.mjs';
import { main } from './run.mjs';

async function build(dueServer, dueClient, state) {
  const steps = await import('./steps.mjs'); // Only now: the usual start has nothing to build.
  steps.requireBuildable();
  steps.forgetBuild();
  if (dueServer) await steps.compileServer();
  if (dueClient) await steps.buildClient();
  steps.writeBuildInfo();
  steps.rememberBuild(state);
}

await main(async () => {
  if (!hasBuildTools() && existsSync(SERVER_ENTRY)) return;
  const [now, built] = [fingerprints(), builtFingerprints()];
  const dueServer = !existsSync(SERVER_ENTRY) || now.server !== built.server;
  const dueClient = hasClientSources() && (!existsSync(CLIENT_ENTRY) || now.client !== built.client);
  if (dueServer || dueClient) await build(dueServer, dueClient, now);
});
