import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import type { MyEntry } from '../schema.ts'
import { EntryPanel } from './entry-panel.tsx'

const entry = { courseId: 'masts', courseTitle: 'Masts', isPublished: true }
const courses = [{ id: 'masts', title: 'Masts' }]

function shown(mine: Partial<MyEntry>) {
  const Stub = createRoutesStub([
    {
      path: '/',
      Component: () => (
        <EntryPanel
          slug="spring"
          phase="open"
          mine={{ plan: 'pro', entry, courses, ...mine }}
          isCreator
          answer={undefined}
        />
      ),
    },
  ])
  return renderToStaticMarkup(<Stub />)
}

const onlyIf = 'This course is not published. The entry counts only if it is at the end.'
const nonePublished = 'You have no published course yet.'

test('an entry whose course is not published any more says that it may not count', () => {
  const withdrawn = { ...entry, isPublished: false }
  const alone = shown({ entry: withdrawn, courses: [] })
  expect(alone).toContain(onlyIf)
  expect(alone).not.toContain(nonePublished)
  expect(shown({ entry: withdrawn, courses: [{ id: 'sails', title: 'Sails' }] })).toContain(onlyIf)
  expect(shown({ entry: { courseId: null, courseTitle: null, isPublished: false } })).toContain(
    'This course is gone, so the entry does not count.',
  )
  expect(shown({})).not.toContain('not published')
  expect(shown({ entry: null, courses: [] })).toContain(nonePublished)
})
