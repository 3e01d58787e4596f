/**
 * The access table of the server's administration. Admins administer; the operator, at the command line of the machine,
 * stands above them. Nobody acts on somebody of an equal or higher role.
 */
import type { UserRole } from '../../protocol/people.ts';

export type AdminRole = UserRole | 'operator';

const RANK: Readonly<Record<AdminRole, number>> = { guest: 0, member: 1, admin: 2, operator: 3 };

/** See and change the server's settings, its people and the audit log. */
export function mayAdminister(actor: AdminRole): boolean {
  return RANK[actor] >= RANK.admin;
}

/** Suspend the person, reset the password, end sessions, change the role. */
export function mayActOn(actor: AdminRole, person: UserRole): boolean {
  return mayAdminister(actor) && RANK[actor] > RANK[person];
}

/** Give this role: none above the giver's own. */
export function mayGive(actor: AdminRole, role: UserRole): boolean {
  return mayAdminister(actor) && RANK[actor] >= RANK[role];
}

/** Add an emoji of the server. */
export function mayAddEmoji(actor: AdminRole): boolean {
  return RANK[actor] >= RANK.member;
}

/** Delete an emoji of the server. `isOwn`: the actor has added it. */
export function mayDeleteEmoji(actor: AdminRole, isOwn: boolean): boolean {
  return mayAdminister(actor) || (isOwn && mayAddEmoji(actor));
}
