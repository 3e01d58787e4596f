/** `npm run build`: compiles the server, builds the web client, writes dist/build-info.json. */
import { fingerprints } from './fingerprint.mjs';
import { hasClientSources } from './paths.mjs';
import { main } from './run.mjs';
import {
  buildClient,
  compileServer,
  forgetBuild,
  rememberBuild,
  requireBuildable,
  writeBuildInfo,
} from './steps.mjs';

await main(async () => {
  requireBuildable();
  const startedAt = performance.now();
  const state = fingerprints();
  forgetBuild();
  await compileServer();
  if (hasClientSources()) await buildClient();
  writeBuildInfo();
  rememberBuild(state);
  console.log(`build: done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
});
