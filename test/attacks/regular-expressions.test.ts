// No pattern takes longer than its text is long: one that does is an address where anybody can stop the server.
import { readFileSync, globSync } from 'node:fs'
import { check } from 'recheck'
import ts from 'typescript-api'
import { expect, test } from 'vitest'

/** Not linear, or not understood by the checker, and harmless: nobody else chooses the text, or it is short. */
const harmless: Record<string, Record<string, string>> = {
  'src/ui/cn.ts': {
    '/^text-(xs|sm|base|lg|\\d?xl|\\[.*(rem|em|px).*\\])$/': 'names of our own styles',
    '/^((?:(?:\\[[^\\]]*\\]|[^[:])+:)*)(.+)$/': 'names of our own styles',
  },
  'src/server/late-letters.ts': {
    '/<link rel="preload" as="font"[^>]*\\/>/g': 'our own page, where what people write has no <',
  },
  'src/server/selector-needs.ts': {
    '/::?([\\w-]+)|\\[\\s*([\\w-]+)|([.#]?)((?:\\\\[0-9a-f]{1,6} ?|\\\\.|[\\w-]|[^\\0-\\x7f])+)|\\/\\*[^]*?\\*\\//giy':
      'our own styles',
  },
  'src/server/log-privacy.ts': {
    '/\\beyJ[\\w-]{1,500}\\.[\\w-]{1,4000}\\.[\\w-]+/g': 'looks on for 500 characters at most',
    '/(Key \\([^)]{0,300}\\)=)\\((?:[^()]|\\([^()]{0,300}\\)){0,4000}\\)/g':
      'looks on for 300 characters at most',
    "/[\\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\\w-]+(?:\\.[\\w-]+)+/g":
      'looks back for 64 characters at most',
  },
  'src/domains/offline/worker.ts': {
    '/(<main\\b[^>]*>)[^]*<\\/main>/': 'our own page, in the browser of whom it is for',
  },
  'src/domains/moderation/text-rules.ts': {
    '/^[[\\p{L}\\p{N}\\p{M}_]--[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]]$/v':
      'one character; the checker does not know sets',
  },
  'src/domains/lessons/ui/rich-text-editor-link-address.ts': {
    '/^[^\\s/]+@[^\\s/]+$/': 'what somebody types, in their own browser',
  },
  'src/domains/courses/rules.ts': {
    '/\\s*⚡\\uFE0F?\\s*$/u': 'titles, of 120 characters at most',
  },
  'src/domains/course-transfer/course-file.ts': {
    '/^[.-]+|[.-]+$/g': '80 characters, cut before',
  },
  'src/domains/billing/history.ts': {
    '/^\\d+ × (.*?)(?: \\(at .*\\))?$/': 'a line of the payment provider’s invoice',
  },
  'src/domains/articles/read-articles.ts': {
    '/<[^>]*>/g': 'our own articles, when they are built',
  },
  'src/domains/accounts/sign-in-words.ts': {
    '/Email address.*invalid/i': 'sentences of the library, which repeat nothing',
  },
}

function patternsIn(file: string): string[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    false,
    kind,
  )
  const found: string[] = []
  const visit = (node: import('typescript-api').Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/**
 * Milliseconds, ten times as many as by default: on a busy machine the checker would take its own slowness for that of a
 * pattern.
 */
const patient = {
  timeout: 200_000,
  seedingTimeout: 1000,
  incubationTimeout: 2500,
  attackTimeout: 10_000,
}

async function isLinear(literal: string): Promise<boolean> {
  const end = literal.lastIndexOf('/')
  // Neither changes how long a match takes.
  const flags = literal.slice(end + 1).replaceAll(/[gd]/g, '')
  return (await check(literal.slice(1, end), flags, patient)).status === 'safe'
}

const files = globSync('src/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$/.test(file))

test(
  'every regular expression is linear, or harmless for a reason',
  { timeout: 600_000 },
  async () => {
    const verdicts = new Map<string, Promise<boolean>>()
    const slow: Record<string, string[]> = {}
    for (const file of files) {
      for (const literal of patternsIn(file)) {
        const verdict = verdicts.get(literal) ?? isLinear(literal)
        verdicts.set(literal, verdict)
        if (!(await verdict)) (slow[file] ??= []).push(literal)
      }
    }
    const known = Object.entries(harmless).map(([file, reasons]) => [file, Object.keys(reasons)])
    expect(slow).toEqual(Object.fromEntries(known))
    expect(verdicts.size).toBeGreaterThan(300)
  },
)
