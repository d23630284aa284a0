import path from 'node:path';
import type { RuleTester } from 'oxlint/plugins-dev';

/** Its package does not export these types by name. */
type Rule = Extract<Parameters<RuleTester['run']>[1], { create: unknown }>;
type Node = NonNullable<Parameters<Parameters<Rule['create']>[0]['sourceCode']['getText']>[0]>;

const root = path.dirname(import.meta.dirname);

/** Where other shapes of failure are the point: the definition itself, and the worker's protocol with its replies. */
const exempt = new Set([
  'src/core/result.ts',
  'src/lean/base/protocol.ts',
  'src/lean/workers/lease.ts',
  'src/lean/workbench/workbench.ts',
  // published in docs/LIBRARY.md
  'src/app/tactics.ts',
]);

const markers = new Set(['ok', 'error', 'failed', 'failure', 'fault', 'cannot', 'why', 'declined']);
const instead = 'Use `Result` (src/core/result.ts) and test it with `.ok`.';

/** An expected failure has one shape. */
export const oneResult: Rule = {
  create(context) {
    const file = path.relative(root, context.filename);
    if (!file.startsWith('src/') || exempt.has(file)) return {};
    const textOf = (node: Node): string => context.sourceCode.getText(node);
    return {
      BinaryExpression(node) {
        if (node.operator !== 'in' || node.left.type !== 'Literal') return;
        if (markers.has(String(node.left.value)))
          context.report({ node, message: `A field separates a failure from a value. ${instead}` });
      },
      TSPropertySignature(node) {
        const type = node.typeAnnotation?.typeAnnotation;
        if (textOf(node.key) === 'ok' && type && /^(?:true|false)$/.test(textOf(type)))
          context.report({ node, message: `Another union with \`ok\`. ${instead}` });
      },
      TSUnionType(node) {
        const others = node.types.map(textOf).filter((text) => !/^(?:undefined|null)$/.test(text));
        if (others.length > 1 && others.some(isFailure))
          context.report({ node, message: `A value or a failure, without a tag. ${instead}` });
        if (isReturned(node) && others.includes('string') && others.some(isObject))
          context.report({ node, message: `A value or a message. ${instead}` });
      },
    };
  },
};

const isFailure = (text: string): boolean => /^(?:Failure|Fault|UserError|Error)$/.test(text);

const isObject = (text: string): boolean => /^(?:readonly |\{|[A-Z]\w*(?:<|$)|Extract<)/.test(text);

/** `(): Value | string`, or the same in a promise. */
function isReturned(node: Node): boolean {
  let above: unknown = parentOf(node);
  while (/^TS(?:TypeParameterInstantiation|TypeReference|ParenthesizedType)$/.test(typeOf(above))) {
    const { typeName } = above as { typeName?: { name?: string } };
    if (typeOf(above) === 'TSTypeReference' && typeName?.name !== 'Promise') return false;
    above = parentOf(above);
  }
  return typeOf(above) === 'TSTypeAnnotation' && /Function|TSMethodSignature/.test(typeOf(parentOf(above)));
}

const parentOf = (node: unknown): unknown => (node as { parent?: unknown } | null)?.parent;
const typeOf = (node: unknown): string => (node as { type?: string } | null)?.type ?? '';

const plugin: { readonly meta: { readonly name: string }; readonly rules: Readonly<Record<string, Rule>> } = {
  meta: { name: 'results' },
  rules: { 'one-result': oneResult },
};
export default plugin;
