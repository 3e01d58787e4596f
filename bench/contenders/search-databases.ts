/** The databases that the search is measured on. */
export const SEARCH_DATABASES = ['sqlite', 'postgres'] as const;
export type SearchDatabase = (typeof SEARCH_DATABASES)[number];
