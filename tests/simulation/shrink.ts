/** Makes a failing plan smaller while it still fails, until only the actions are left that the failure needs. */
import type { Action, Plan } from './plan.ts';

/** The most smaller plans that are tried. */
const MAX_TRIES = 400;

/** The smallest failing plan found; `fails` must hold for `plan`. */
export async function shrink(plan: Plan, fails: (smaller: Plan) => Promise<boolean>): Promise<Plan> {
  let smallest = plan;
  let tries = 0;
  const attempt = async (smaller: Plan): Promise<boolean> => {
    if (tries++ >= MAX_TRIES || !(await fails(smaller))) return false;
    smallest = smaller;
    return true;
  };
  for (let size = Math.ceil(plan.actions.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < smallest.actions.length; ) {
      const actions = smallest.actions.toSpliced(from, size);
      if (!(await attempt({ ...smallest, actions }))) from += size;
    }
  }
  for (const [index, action] of smallest.actions.entries()) {
    const quieter = withFewerTexts(action);
    if (quieter) await attempt({ ...smallest, actions: smallest.actions.with(index, quieter) });
  }
  await attempt({ ...smallest, rooms: smallest.rooms.map((room) => ({ ...room, messages: 0 })) });
  await attempt({
    ...smallest,
    weather: { ...smallest.weather, requestLoss: 0, answerLoss: 0, duplicates: 0 },
  });
  await attempt({ ...smallest, weather: { ...smallest.weather, crashAfterCommit: 0 } });
  return smallest;
}

function withFewerTexts(action: Action): Action | null {
  return action.kind === 'say' && action.texts > 1 ? { ...action, texts: 1 } : null;
}
