/**
 * The hash of discarded random bytes, made as passwords are (features/identity/passwords.ts): no password matches it.
 */
export const DECOY =
  '$argon2id$v=19$m=19456,t=2,p=1$3HWVW2B2dAzlniFPpgm3eA$BWSz+RvHZGMK2zHhMYjy3sSN6ZFhf8/gKBUvQccnrBc';
