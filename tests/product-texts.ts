/**
 * `npm run texts` prints every text of the product by file, so that a reader can go through all of them in one sitting.
 * `npm run texts -- since main` prints those that came and went since a commit.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'

/** Elements within a sentence. A block with text of its own is a text of its own. */
const INLINE = new Set([
  'a',
  'abbr',
  'b',
  'br',
  'code',
  'em',
  'i',
  'kbd',
  'span',
  'strong',
  'time',
  'Link',
  'TextLink',
])
/** Attributes and properties whose value people read or hear, even if it is a single word in small letters. */
const READ_NAMES =
  /^(alt|title|label|name|text|hint|message|heading|placeholder|description|summary|children|button|pending|done|waiting|aria-label|.*(Label|Text|Hint|Title))$/
/** Attributes and properties that no person reads, whatever their value looks like. */
const UNREAD_NAMES =
  /^(className|class|style|id|key|href|to|src|srcSet|sizes|type|rel|autoComplete|inputMode|pattern|method|action|intent|variant|role|d|viewBox|points|fill|stroke|fontFamily|contentType|cacheControl|sql|data-.*)$/
/** Styles and headers, which look like sentences. */
const UNREAD_TEXT = /\dpx\b|serif\b|; Max-Age=|^Basic |^Bearer |^\S+@\S+$|^\S+ 'none'$|^\[&/
/** Calls whose text is for the engineer, the database or the protocol. */
const UNREAD_CALLS =
  /^(Error|TypeError|RangeError|Headers|RegExp|URL|Set|Map|href|fetch|cn|clsx|join|split|includes|startsWith|endsWith|replace|replaceAll|match|test|get|set|has|append|delete|querySelector|querySelectorAll|getElementById|matchMedia|addEventListener|removeEventListener|log\.\w+|console\.\w+|span|counter|where|select|selectFrom|orderBy|ref|raw)$/

/**
 * The texts of a source file that people read, in order: of elements, of attributes, and of strings that look like
 * words for people. Values stand in braces, alternatives in brackets.
 * @param isWords whether all strings of the file are for people, as in messages.ts
 */
export function productTexts(file: string, text: string, isWords: boolean): string[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind)
  const texts: string[] = []
  const add = (words: string) => {
    const line = words.replace(/\s+/g, ' ').trim()
    if (/\p{L}/u.test(line.replace(/\{[^}]*\}/g, '')) && !texts.includes(line)) texts.push(line)
  }
  const visit = (node: ts.Node): void => {
    if (isOutside(node)) return
    if ((ts.isJsxElement(node) || ts.isJsxFragment(node)) && hasOwnWords(node)) {
      add(node.children.map(wordsOf).join(''))
      for (const child of node.children) visitParts(child)
      return
    }
    if (isString(node)) {
      const words = wordsOf(node)
      if (isForPeople(node, words, isWords)) add(words)
      return
    }
    ts.forEachChild(node, visit)
  }
  // The text's own words are in the list already. Only its attributes and the blocks within it are left.
  const visitParts = (node: ts.Node): void => {
    if (isElement(node) && INLINE.has(tagOf(node))) {
      const opening = ts.isJsxElement(node) ? node.openingElement : node
      if (!ts.isJsxFragment(opening)) ts.forEachChild(opening.attributes, visit)
      if (ts.isJsxElement(node)) for (const child of node.children) visitParts(child)
    } else if (ts.isJsxExpression(node) && isPlain(node.expression)) return
    else if (!ts.isJsxText(node)) visit(node)
  }
  visit(source)
  return texts
}

type Element = ts.JsxElement | ts.JsxSelfClosingElement

const isElement = (node: ts.Node): node is Element =>
  ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node)
const isString = (node: ts.Node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
const tagOf = (node: Element) => (ts.isJsxElement(node) ? node.openingElement : node).tagName.getText()

function hasOwnWords({ children }: ts.JsxElement | ts.JsxFragment): boolean {
  return children.some((child) => ts.isJsxText(child) && /\p{L}/u.test(child.text))
}

/** Imports, types and SQL hold no words for people. */
function isOutside(node: ts.Node): boolean {
  return (
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isTypeNode(node) ||
    ts.isTaggedTemplateExpression(node)
  )
}

/** An expression whose words are those of the text around it. */
function isPlain(node: ts.Expression | undefined): boolean {
  if (!node) return true
  if (ts.isParenthesizedExpression(node)) return isPlain(node.expression)
  if (ts.isConditionalExpression(node)) return isPlain(node.whenTrue) && isPlain(node.whenFalse)
  return (
    isString(node) ||
    ts.isIdentifier(node) ||
    ts.isPropertyAccessExpression(node) ||
    node.getText() === 'null'
  )
}

/** The words of a node within a text. */
function wordsOf(node: ts.Node): string {
  if (ts.isJsxText(node)) return node.text.replace(/^\s*\n\s*|\s*\n\s*$/g, '')
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node))
    return (
      node.head.text + node.templateSpans.map((span) => wordsOf(span.expression) + span.literal.text).join('')
    )
  if (ts.isJsxExpression(node)) return node.expression ? wordsOf(node.expression) : ''
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return wordsOf(node.expression)
  if (ts.isConditionalExpression(node)) return alternatives(node.whenTrue, node.whenFalse)
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return wordsOf(node.left) + wordsOf(node.right)
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return alternatives(node.right)
  if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
    const isBlock = ts.isJsxElement(node) && !INLINE.has(tagOf(node))
    return isBlock ? ' ' : node.children.map(wordsOf).join('')
  }
  if (ts.isJsxSelfClosingElement(node)) return ' '
  return node.kind === ts.SyntaxKind.NullKeyword ? '' : `{${nameOf(node)}}`
}

function alternatives(...nodes: ts.Node[]): string {
  const words = nodes.map((node) => wordsOf(node).trim()).filter(Boolean)
  return words.length > 0 ? `[${words.join(' / ')}]` : ''
}

/** A name for a value: that of the variable, or of what a call is given. */
function nameOf(node: ts.Node): string {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (ts.isNonNullExpression(node) || ts.isAwaitExpression(node)) return nameOf(node.expression)
  if (ts.isElementAccessExpression(node)) return nameOf(node.expression)
  if (ts.isCallExpression(node)) return nameOf(node.arguments[0] ?? node.expression)
  return '…'
}

/** Whether people read a string: by its name, or because it looks like a sentence, a label or a heading. */
function isForPeople(node: ts.Node, words: string, isWords: boolean): boolean {
  const { parent } = node
  if (!/\p{L}{2}/u.test(words.replace(/\{[^}]*\}/g, '')) || UNREAD_TEXT.test(words)) return false
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false
  if (ts.isElementAccessExpression(parent) || ts.isLiteralTypeNode(parent)) return false
  if (ts.isBinaryExpression(parent) && /^[!=]==?$/.test(parent.operatorToken.getText())) return false
  const name = nameAround(node)
  if (name && UNREAD_NAMES.test(name)) return false
  const call = callAround(node)
  if (call && UNREAD_CALLS.test(call)) return false
  const isSentence = /^[\p{Lu}\d“‘'{[$].*\s\S/u.test(words) && /\p{Ll}{2}/u.test(words)
  const isWord = /^\p{Lu}\p{Ll}+(\.{3}|[.?!…:])?$/u.test(words)
  if (/[/\\<>_=;]|^\S*\.\w|--|\b(jubilee-|var\()/.test(words) && !/\s/.test(words)) return false
  if (name && READ_NAMES.test(name)) return isSentence || isWord || isWords
  return isWords ? isSentence || isWord || /\s/.test(words) : isSentence || (isWord && isWithinJsx(node))
}

function isWithinJsx({ parent }: ts.Node): boolean {
  return ts.isJsxExpression(parent) || (ts.isConditionalExpression(parent) && isWithinJsx(parent))
}

/** The attribute, property or variable whose value a node is, through choices and brackets. */
function nameAround(node: ts.Node): string | null {
  let { parent } = node
  while (
    ts.isConditionalExpression(parent) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isJsxExpression(parent) ||
    ts.isAsExpression(parent)
  )
    parent = parent.parent
  return ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : null
}

function callAround(node: ts.Node): string | null {
  const { parent } = node
  if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return null
  const called = parent.expression
  const text = called.getText()
  return ts.isPropertyAccessExpression(called) && !/^(log|console)\./.test(text) ? called.name.text : text
}

/**
 * The texts of all sources by file. Values stand in braces, alternatives in brackets.
 * @param root the folder of the sources
 */
function listTexts(root = '.'): Map<string, string[]> {
  const files = ['app', 'server']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file}`,
      ),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .sort()
  const texts = files.map((file): [string, string[]] => [
    file,
    productTexts(
      file,
      readFileSync(join(root, file), 'utf8'),
      /(messages|mails?|texts|articles)\.tsx?$/.test(file),
    ),
  ])
  return new Map(texts.filter(([, found]) => found.length > 0))
}

/** The texts of a commit, from its own sources. */
function textsOf(commit: string): Map<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-texts-'))
  try {
    const archive = execFileSync('git', ['archive', commit, 'app', 'server'], { maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    return listTexts(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const [how, commit] = process.argv.slice(2)
  const now = listTexts()
  const before = how === 'since' && commit ? textsOf(commit) : null
  const files = [...new Set([...(before?.keys() ?? []), ...now.keys()])].sort()
  for (const file of files) {
    const [old, present] = [before?.get(file) ?? [], now.get(file) ?? []]
    const lines = before
      ? [
          ...old.filter((text) => !present.includes(text)).map((text) => `- ${text}`),
          ...present.filter((text) => !old.includes(text)).map((text) => `+ ${text}`),
        ]
      : present
    if (lines.length > 0) process.stdout.write(`${file}\n${lines.map((line) => `  ${line}\n`).join('')}\n`)
  }
}
