import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Avatar } from './avatar.tsx'
import { Button } from './button.tsx'
import { CourseThumbnail } from './course-thumbnail.tsx'
import { Field, Input } from './field.tsx'
import { percentText } from './progress.tsx'

test('a field names and describes its control', () => {
  const html = renderToStaticMarkup(
    <Field label="Email Address" hint="Never shown" error="Please enter a valid email address">
      <Input type="email" name="email" />
    </Field>,
  )
  const id = html.match(/for="([^"]+)"/)?.[1]
  expect(html).toContain(`<input id="${id}" aria-describedby="${id}-hint ${id}-error"`)
  expect(html).toContain('aria-invalid="true"')
  expect(html).toContain(`<p id="${id}-error"`)
})

test('a busy button says what it is doing and keeps its focus', () => {
  const html = renderToStaticMarkup(
    <Button busy busyText="Saving...">
      Save
    </Button>,
  )
  expect(html).toContain('aria-busy="true"')
  expect(html).toContain('aria-disabled="true"')
  expect(html).not.toContain(' disabled=')
  expect(html).toContain('Saving...')
})

test.each([
  ['élodie', 'É'],
  ['👩‍🚀 Sally', '👩‍🚀'],
  ['   ', '?'],
])('the initial of %j is %j', (name, initial) => {
  expect(renderToStaticMarkup(<Avatar name={name} />)).toContain(`>${initial}</span>`)
})

test('100% is said only at the end', () => {
  expect([0, 33.4, 99.9, 100, 140, -3].map(percentText)).toEqual([
    '0%',
    '33%',
    '99%',
    '100%',
    '100%',
    '0%',
  ])
})

test('the default picture depends on category and seed alone, and works for any category', () => {
  expect(picture('Music', 'a')).toBe(picture('Music', 'a'))
  expect(picture('Music', 'a')).not.toBe(picture('Tech', 'a'))
  expect(picture('Basket weaving', 'a')).toContain('<svg')
  expect(picture('Music', 'a').length).toBeLessThan(1500)
})

function picture(category: string, seed: string) {
  return renderToStaticMarkup(<CourseThumbnail category={category} seed={seed} />)
}
