import { expect, test } from 'vitest'
import { classesOf, parseSheet, usedStyles } from './used-styles.ts'

const used = (css: string, html: string) => usedStyles(parseSheet(css), classesOf(html))

test('keeps what a page can need, letter for letter and in order', () => {
  const kept =
    '@layer theme,base;@import "x;{.css";:root{--a:"}"}p{color:red}@font-face{src:url(a.woff2)}' +
    '.a{color:red}.b .a:hover{color:blue}.gone,.b{top:0}html[data-theme=dark] .a{x:y}' +
    '@media (width>=40rem){.sm\\:p-4{padding:1rem}}.w-\\[1\\.5rem\\]{width:1.5rem}.\\32xl{top:1px}' +
    '.\\[\\&\\>svg\\]\\:size-4>svg{width:1rem}:is(.gone,.other) i{x:y}a:not(.gone){x:y}' +
    '.a{&:hover{color:red}.gone{color:blue}}@keyframes turn{to{rotate:1turn}}'
  const html =
    '<p class="a b sm:p-4 w-[1.5rem] 2xl"><i class="[&amp;&gt;svg]:size-4"></i></p><b class="">'
  expect(used(kept, html)).toBe(kept)
})

test('drops rules for classes that are not there, and what is empty then', () => {
  const css =
    '@layer u{.gone{x:y}.a.gone{x:y}.a{x:y}@supports (color:red){.gone:hover{x:y}}}' +
    '@media print{.gone{content:"}{"}}.gone:not(.a){x:y}/* } */.gone-2{x:url("a}b")}@layer v{.gone{x:y}}'
  expect(used(css, '<p class="a">')).toBe('@layer u{.a{x:y}}@layer v{}')
})
