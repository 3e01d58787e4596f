/** Colours code. Large, so it is loaded by a worker, with the first code that names its language. */
import { common, createLowlight } from 'lowlight';

/** Plain text, or a token of the language: a `keyword`, a `string`, a `comment`. */
export type CodePiece = string | { readonly token: string; readonly pieces: readonly CodePiece[] };

type LowlightTree = ReturnType<ReturnType<typeof createLowlight>['highlight']>;
type Nodes = LowlightTree['children'];

const lowlight = createLowlight(common);

/** The code in pieces that, joined, are the code again. A single piece when the language is unknown. */
export function highlight(code: string, language: string): readonly CodePiece[] {
  if (!lowlight.registered(language)) return [code];
  return toPieces(lowlight.highlight(language, code).children);
}

function toPieces(nodes: Nodes): readonly CodePiece[] {
  return nodes.flatMap((node): CodePiece[] => {
    if (node.type === 'text') return [node.value];
    if (node.type !== 'element') return [];
    const [name] = Array.isArray(node.properties.className) ? node.properties.className : [];
    return [{ token: String(name).replace(/^hljs-/, ''), pieces: toPieces(node.children.filter(isOfCode)) }];
  });
}

function isOfCode(node: { type: string }): boolean {
  return node.type === 'text' || node.type === 'element';
}
