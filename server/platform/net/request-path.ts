/** The path of a request target in its decoded and normalized forms. */

/** The part of a request target that names a path: no query, no fragment, no `http://host` of the absolute form. */
function rawPath(target: string): string {
  const path = target.replace(/[?#].*$/s, '');
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*\/?/i, '/');
}

/** The decoded path of a request target; null when it is no path or an escape in it is not UTF-8. */
export function decodedPath(target: string): string | null {
  const path = rawPath(target);
  if (!path.startsWith('/')) return null;
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/**
 * The decoded path without empty segments, dot segments and a final slash (RFC 3986 §5.2.4 and beyond), so that all
 * spellings of one path are one string; null as `decodedPath`. Case is kept: another case is another path.
 */
export function normalizedPath(target: string): string | null {
  const path = decodedPath(target);
  if (path === null) return null;
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}
