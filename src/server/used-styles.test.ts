import { expect, test } from 'vitest'
import { parseSheet, usedStyles } from './used-styles.ts'

const used = (css: string, html: string) => usedStyles([parseSheet(css)], html)[0]

test('keeps what a page can need, letter for letter and in order', () => {
  const kept =
    '@layer theme,base;@import "x;{.css";:root{color:"}"}p{color:red}@font-face{src:url(a.woff2)}' +
    '.a{color:red}.b .a:hover{color:blue}.gone,.b{top:0}html[data-theme=dark] .a{x:y}' +
    '@media (width>=40rem){.sm\\:p-4{padding:1rem}}.w-\\[1\\.5rem\\]{width:1.5rem}.\\32xl{top:1px}' +
    '.\\[\\&\\>svg\\]\\:size-4>svg{width:1rem}:is(.gone,.a) i{x:y}a:not(.gone){x:y}#top P{x:y}' +
    'details[open]>:first-child{x:y}[lang|=en]{x:y}.a:has(>i:not(.gone)){x:y}::before{x:y}' +
    ':where(.b:not(:last-child)) *{x:y}p:nth-child(2 of .gone){x:y}input::placeholder{x:y}' +
    '.a{&:hover{color:red}.gone{color:blue}}'
  const html =
    '<html lang="en"><p id="top" class="a b sm:p-4 w-[1.5rem] 2xl"><i class="[&amp;&gt;svg]:size-4"></i>' +
    '<svg></svg></p><b class=""></b><a></a><details></details><input>'
  expect(used(kept, html)).toBe(kept)
})

test('drops rules for what is not there, and what is empty then', () => {
  const css =
    '@layer u{.gone{x:y}.a.gone{x:y}.a{x:y}@supports (color:red){.gone:hover{x:y}}}' +
    '@media print{.gone{content:"}{"}}.gone:not(.a){x:y}/* } */.gone-2{x:url("a}b")}@layer v{.gone{x:y}}' +
    'table{x:y}#gone{x:y}[data-gone] p{x:y}:is(.gone,table) p{x:y}p:has(>table){x:y}' +
    '::placeholder{x:y}::-webkit-date-and-time-value{x:y}'
  expect(used(css, '<p class="a">')).toBe('@layer u{.a{x:y}}@layer v{}')
})

test('of variables, properties and keyframes only what something names stays', () => {
  const css =
    ':root,:host{--a:1px;--b:var(--c);--c:;--gone:2px;--html:0;--run:turn 1s}@supports (x:y){:root{--c:"}";--gone:1}}' +
    'p{x:var(--b) var(--d);animation:var(--run)}.gone{x:var(--gone)}' +
    '@keyframes turn{to{x:var(--a)}}@keyframes stop{to{x:y}}' +
    '@property --d{syntax:"*";inherits:false}@property --gone{syntax:"*";inherits:false}'
  expect(used(css, '<p style="width:var(--html)">')).toBe(
    ':root,:host{--a:1px;--b:var(--c);--c:;--html:0;--run:turn 1s}@supports (x:y){:root{--c:"}"}}' +
      'p{x:var(--b) var(--d);animation:var(--run)}@keyframes turn{to{x:var(--a)}}' +
      '@property --d{syntax:"*";inherits:false}',
  )
})

test('where nothing is drawn before or after elements, these get no styles', () => {
  const css = '*,:after,::before,::backdrop{x:y}p{x:y}.drawn::before{content:"→"}'
  expect(used(css, '<p class="drawn">')).toBe(css)
  expect(used(css, '<p><q>')).toBe('*,:after,::before,::backdrop{x:y}p{x:y}')
  expect(used(css, '<p>')).toBe('*,::backdrop{x:y}p{x:y}')
  const still = '*,:before{x:y}p:before{align-content:start}'
  expect(used(still, '<p>')).toBe('*{x:y}p:before{align-content:start}')
})

test('letters that the page has none of are not offered, unless somebody can type them', () => {
  const core = '@font-face{src:url(core);unicode-range:U+20-7E,U+E9}'
  const more = '@font-face{src:url(more);unicode-range:U+100-17F,U+1F600}'
  const italic = '@font-face{font-style:italic;src:url(italic);unicode-range:U+20-7E}'
  const css = core + more + italic
  expect(used(css, '<p>Plain</p>')).toBe(core)
  expect(used(css, '<p>Łódź</p>')).toBe(core + more)
  expect(used(css, '<p>Ready 😀</p>')).toBe(core + more)
  expect(used(css, '<p><em>Plain</em></p>')).toBe(core + italic)
  expect(used(css, '<textarea></textarea>')).toBe(core + more)
  expect(used(`${css}p::after{content:"Ł"}`, '<p>Plain</p>')).toBe(
    `${core}${more}p::after{content:"Ł"}`,
  )
  expect(used(`${css}p{font-style:italic}`, '<p>Plain</p>')).toBe(
    `${core}${italic}p{font-style:italic}`,
  )
})

test('what one sheet of a page names stays in the other', () => {
  const theme = parseSheet(':root{--a:1px;--b:1px}@keyframes turn{to{x:y}}')
  const page = parseSheet('p{x:var(--a);animation:turn 1s}')
  expect(usedStyles([theme, page], '<p>')).toEqual([
    ':root{--a:1px}@keyframes turn{to{x:y}}',
    'p{x:var(--a);animation:turn 1s}',
  ])
})
