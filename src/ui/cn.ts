import { clsx, type ClassValue } from 'clsx'

/**
 * What a utility sets, for the utilities we use. The first that fits counts. A package knows all of
 * Tailwind, but is four times as large on every page; cn.test.ts holds ours against it.
 */
const properties: [name: string, utilities: RegExp][] = [
  ['sr', /^(not-)?sr-only$/],
  [
    'display',
    /^(block|inline|inline-(block|flex|grid)|flex|grid|table|contents|hidden|list-item)$/,
  ],
  ['position', /^(static|fixed|absolute|relative|sticky)$/],
  ['visibility', /^(in)?visible$/],
  ['isolation', /^isolate$/],
  ['overflow', /^overflow-[a-z]+$/],
  ['$1', /^(overflow-[xy]|overscroll(-[xy])?)-/],
  ['text-overflow', /^(truncate|text-(ellipsis|clip))$/],
  ['text-align', /^text-(left|center|right|justify|start|end)$/],
  ['text-wrap', /^text-(pretty|balance|wrap|nowrap)$/],
  ['text-transform', /^(uppercase|lowercase|capitalize|normal-case)$/],
  ['text-size', /^text-(xs|sm|base|lg|\d?xl|\[.*(rem|em|px).*\])$/],
  ['text', /^text-/],
  ['font-family', /^font-(display|text|mono)$/],
  ['font-weight', /^font-/],
  ['font-style', /^(not-)?italic$/],
  ['font-numeric', /^(tabular|proportional)-nums$/],
  ['decoration', /^(underline|no-underline|line-through)$/],
  ['border-width', /^border(-\d+)?$/],
  ['border-width-$1', /^border-([xytrbl])(-\d+)?$/],
  ['border-style', /^border-(solid|dashed|dotted|double|none)$/],
  ['border', /^border-/],
  ['divide-$1', /^divide-([xy])(-\d+)?$/],
  ['rounded$1', /^rounded(-[trbl]{1,2})?(-|$)/],
  ['shadow', /^shadow(-(card|raised|none|\[.*\]))?$/],
  ['ring-width', /^ring(-\d+)?$/],
  ['ring-inset', /^ring-inset$/],
  ['ring', /^ring-/],
  ['bg-image', /^bg-(none|linear-to-|\[.*gradient\()/],
  ['bg', /^bg-/],
  ['outline-style', /^outline-(none|hidden|solid|dashed|dotted|double)$/],
  ['outline-width', /^outline(-\d+)?$/],
  ['$1', /^-?(outline-offset|underline-offset)-/],
  ['outline', /^outline-/],
  ['scroll', /^scroll-(smooth|auto)$/],
  ['generated', /^content-(none|\[)/],
  ['flex-direction', /^flex-(row|col)(-reverse)?$/],
  ['flex-wrap', /^flex-(wrap|nowrap)(-reverse)?$/],
  ['flex', /^flex-/],
  ['$1', /^(grow|shrink)(-\d+)?$/],
  ['transition', /^transition(-|$)/],
  ['resize', /^resize(-|$)/],
  ['col', /^col-(auto|span-)/],
  ['row', /^row-(auto|span-)/],
  ['touch-$1', /^touch-(pan-[xy]|pinch-zoom)$/],
  ['object-fit', /^object-(contain|cover|fill|none|scale-down)$/],
  ['list-style-$1', /^list-()(disc|decimal|none)$/],
  [
    '$1',
    new RegExp(
      '^-?(' +
        'm[xytrbl]?|p[xytrbl]?|inset(-[xy])?|top|right|bottom|left|z|' +
        '(min-|max-)?[wh]|size|gap(-[xy])?|space-[xy]|basis|aspect|columns|' +
        '(grid-cols|grid-rows|grid-flow|col-start|col-end|row-start|row-end|order)|' +
        '(items|self|content|justify-items|justify-self|justify|place-(items|content|self))|' +
        '(leading|tracking|whitespace|line-clamp|align|wrap|hyphens)|' +
        '(opacity|fill|stroke|accent|scheme|cursor|select|pointer-events|appearance|table)|' +
        '(translate(-[xy])?|scale|rotate|duration|ease|animate|brightness|blur|grayscale|backdrop-blur|filter)|' +
        '(scroll-m[xytrbl]?|break-inside|field-sizing|from|to|via|touch|snap|will-change)' +
        ')(-|$)',
    ),
  ],
]

const sides = (side: string) => [`${side}x`, `${side}y`, ...corners(side)]
const corners = (side: string) => ['t', 'r', 'b', 'l'].map((corner) => side + corner)

/** What a utility settles besides its own property. */
const alsoSets: Record<string, string[]> = {
  m: sides('m'),
  mx: ['mr', 'ml'],
  my: ['mt', 'mb'],
  p: sides('p'),
  px: ['pr', 'pl'],
  py: ['pt', 'pb'],
  'scroll-m': sides('scroll-m'),
  'scroll-my': ['scroll-mt', 'scroll-mb'],
  inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
  'inset-x': ['right', 'left'],
  'inset-y': ['top', 'bottom'],
  size: ['w', 'h'],
  gap: ['gap-x', 'gap-y'],
  flex: ['grow', 'shrink', 'basis'],
  overflow: ['overflow-x', 'overflow-y'],
  touch: ['touch-pan-x', 'touch-pan-y', 'touch-pinch-zoom'],
  'touch-pan-x': ['touch'],
  'touch-pan-y': ['touch'],
  'touch-pinch-zoom': ['touch'],
  translate: ['translate-x', 'translate-y'],
  'border-width': sides('border-width-'),
  'border-width-x': ['border-width-r', 'border-width-l'],
  'border-width-y': ['border-width-t', 'border-width-b'],
  rounded: ['-t', '-r', '-b', '-l', '-tl', '-tr', '-br', '-bl'].map((corner) => `rounded${corner}`),
  'rounded-t': ['rounded-tl', 'rounded-tr'],
  'text-size': ['leading'],
  'line-clamp': ['display', 'overflow'],
}

/** The modifiers of a class (`sm:hover:`) and what is left of it. A colon in brackets divides nothing. */
const parts = /^((?:(?:\[[^\]]*\]|[^[:])+:)*)(.+)$/

const known = new Map<string, { modifiers: string; property: string } | null>()

function look(className: string) {
  const [, modifiers = '', utility = ''] = parts.exec(className) ?? []
  const arbitrary = /^\[([\w-]+):/.exec(utility)
  if (arbitrary) return { modifiers, property: arbitrary[1]! }
  for (const [name, utilities] of properties) {
    const found = utilities.exec(utility)
    if (found) return { modifiers, property: name.replace('$1', found[1] ?? '') }
  }
  return null
}

function propertyOf(className: string) {
  let property = known.get(className)
  if (property === undefined) known.set(className, (property = look(className)))
  return property
}

function join(classNames: string): string {
  const kept: string[] = []
  const settled = new Set<string>()
  for (const className of classNames.split(/\s+/).toReversed()) {
    const sets = propertyOf(className)
    if (sets) {
      const { modifiers, property } = sets
      if (settled.has(modifiers + property)) continue
      for (const name of [property, ...(alsoSets[property] ?? [])]) settled.add(modifiers + name)
    }
    kept.push(className)
  }
  return kept.toReversed().join(' ')
}

/** There are only as many as our sources can make, and every page joins the same ones again. */
const joined = new Map<string, string>()

/** Joins class names; of two utilities for the same property the later one wins. */
export function cn(...classes: ClassValue[]) {
  const classNames = clsx(classes)
  let result = joined.get(classNames)
  if (result === undefined) joined.set(classNames, (result = join(classNames)))
  return result
}
