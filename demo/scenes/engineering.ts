import type { Scene } from './scene.ts';

export const BACKEND: readonly Scene[] = [
  [
    'a The {service} takes {ms2} ms for the first request after a deploy. Does anybody know why?',
    'b It fills its cache then. We could do it before the health check turns green.',
    "a That would be four lines:\n\n```ts\nasync function start(): Promise<void> {\n  const cache = await Cache.open(config.cacheDir);\n  await cache.warm({ limit: 10_000 });\n  health.set('ready');\n}\n```",
    'b Nice. And a metric for how long `warm()` takes, please.',
    'a Will do. #{issue}',
  ],
  [
    'a This query does a full scan, I think:\n\n```sql\nSELECT id, name\nFROM rooms\nWHERE lower(name) = $1\nORDER BY created_at DESC;\n```',
    'b There is no index on `lower(name)`. We keep `name_key` for exactly that.',
    'a Ah! With `name_key` it is {ms} ms → 0.4 ms.',
    'c {emoji}',
  ],
  [
    'a Review, please: #{issue} moves the {service} to the new queue.',
    'b I will look after lunch.',
    'b Two remarks, nothing big:\n1. the retry has no upper bound\n2. `drain()` may be called twice, and the second call hangs\n\nOtherwise lovely.',
    'a Fixed both. For 2 there is a test now.',
    'b Approved ✅',
  ],
  [
    'a Do we have an opinion about time zones in the audit log?',
    'b UTC, always. Show local time only in the client.',
    'c What {B} says. I have scars.',
  ],
  [
    'a The nightly test failed once in {n} runs. Same place as last week.',
    'b A race?',
    'a I believe so. It waits for a *time*, not for a *condition*:\n\n```ts\nawait sleep(200);\nexpect(await inbox.count()).toBe(1);\n```',
    'b ```ts\nawait eventually(() => inbox.count(), 1);\n```',
    'a So much better. Replacing all of them.',
  ],
  [
    'a Memory of the {service} grows by {pct} MB an hour.',
    'b Since when?',
    'a Since build {build}. A heap snapshot says it is listeners that nobody removes.',
    'c My fault, sorry! The unsubscribe is in the wrong branch. Fix in ten minutes.',
    'c Fixed in #{issue}. Could somebody watch the graph overnight?',
    'a Flat all night. Thanks {C} {emoji}',
  ],
  [
    'a Who remembers why we compress on the fly and not at build time?',
    'b History. Nobody would miss it.',
    'a Then I will take it out: −{n} lines, and the CPU says thank you.',
  ],
  [
    'a Proposal for the error format:\n\n```json\n{\n  "error": {\n    "code": "too_many_requests",\n    "message": "That was a bit fast.",\n    "retry_after_ms": 1500\n  }\n}\n```',
    'b I like it. Is `message` for people or for developers?',
    'a For developers. Clients have their own words, in the user’s language.',
    'b Then I have nothing to add 🙂',
  ],
  [
    'a Node 24 is ready on the build machines. To try it:\n\n```sh\nnvm install 24\nnpm ci\nnpm test\n```',
    'b Everything passes here, and the start is {pct} % faster.',
    'c Same on the slow machine.',
  ],
];

export const RELEASE: readonly Scene[] = [
  [
    'a The branch is cut. Please add your lines to the release notes before {time}.',
    'b Added the accessibility fixes and the new empty states.',
    'c Translations are complete in all eleven languages {emoji}',
    'a The first time that we are complete before the freeze!',
  ],
  [
    'a Open for this release:\n- [#{issue}](https://issues.example.org/{issue}) {feature} on {device}\n- the upgrade guide\n- a last look at the empty states',
    'b I take the upgrade guide.',
    'c And I take #{issue}, I know that corner.',
    'a Thank you both!',
  ],
  [
    'a The soak test ran all night: 14 hours, 2.1 million messages, none lost, none out of order.',
    'b Beautiful. That was the last box on my list.',
    'a Memory stays flat at 180 MB. Graphs: https://status.example.org/soak/{build}',
  ],
  [
    'a From support: on {device} the send button hides behind the keyboard. I can reproduce it, but only in landscape.',
    'b Looking. I think the composer does not follow the visual viewport there.',
    'b Fixed and pushed, it is {small} lines. {C}, could you have a look?',
    'c Approved, and merged into the release branch.',
    'a The customer confirmed it with the new build. She says thanks!',
  ],
  [
    'a Rollout plan: 5 % at {time}, then half, then everybody.',
    'b I will keep an eye on the error rate 👀',
    'b First hour: p99 {ms} ms, error rate 0.01 %. Going on.',
    'a That is the best start into a release day 🚀',
  ],
  [
    'a > we never write “various fixes” again\n\nSomebody wrote “various fixes” again 🙂',
    'b Guilty. Now it says what was broken and for whom.',
  ],
];

export const DEPLOYS: readonly Scene[] = [
  [
    'a Build {build} is on staging.',
    'b Smoke tests are green.',
    'a Canary looks good, going on.',
    'a Build {build} is live. p99 is {ms} ms.',
  ],
  [
    'a Deploying {build}: the new limits for the {service}.',
    'a Done in {small} minutes, nobody noticed.',
    'b I did notice: it is *faster*.',
  ],
  [
    'a Rolling back {build}, the {service} does not come up.',
    'b Migration?',
    'a A missing setting. `QUEUE_URL` is empty on the second machine.',
    'a Set, deployed again, all green.',
  ],
  ['a No deploys after {time} today, please: {customer} has their big day.', 'b 👍', 'c Noted.'],
  ['a Build {build} is on staging.', 'a Build {build} is live.', 'b 🚀'],
];

export const ON_CALL: readonly Scene[] = [
  [
    'a 🔔 `{service}`: queue length {n}, threshold 100',
    'b Looking.',
    'b One slow job holds the lock. It is the export of {customer} again.',
    'b Moved it to its own lane, the queue drains.',
    'a ✅ `{service}`: queue length 0',
    'c Nice and quick. Shall we make that lane permanent?',
    'b I will write it up tomorrow.',
  ],
  [
    'a Handover: quiet week. {small} alerts, all of them the disk of the old build machine.',
    'b Thanks! Anything to watch?',
    'a Only the certificate of `status.example.org`, it ends on {weekday}. The renewal runs by itself, but look at it once.',
  ],
  [
    'a The latency graph has a step at {time}: {ms} ms → {ms2} ms.',
    'b That is when the backup begins.',
    'c It should not, since we moved it to the replica?',
    'b It *should* not. Checking which host the job believes it is on.',
    'b It had the old name in its config. Changed, and the next run is at night.',
    'a Flat tonight. Closing.',
  ],
  ['a ⚠️ Certificate of `mail.example.org` ends in {pct} days', 'b Renewed. Next time by itself.'],
];
