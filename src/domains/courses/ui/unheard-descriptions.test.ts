import { ORPCError } from '@orpc/client'
import { expect, test } from 'vitest'
import { richTextFrom } from '../../lessons/rich-text.ts'
import { savedOverOwn } from './unheard-descriptions.ts'

const [opened, first, second, theirs] = ['Tea', 'Tea!', 'Tea, warm', 'Coffee'].map(richTextFrom)
const text = (value: unknown) => JSON.stringify(value)

/** A server that stores what is sent over what it has, and loses some answers. */
function server(stored = opened) {
  let isLosing = false
  return {
    get stored() {
      return stored
    },
    set stored(value) {
      stored = value
    },
    lose: (losing: boolean) => (isLosing = losing),
    save: (description: typeof opened) => async (before: typeof opened) => {
      if (![text(before), text(description)].includes(text(stored))) {
        throw new ORPCError('DESCRIPTION_CHANGED', { status: 409, message: 'By somebody else' })
      }
      stored = description
      if (isLosing) throw new TypeError('Failed to fetch')
      return 'saved'
    },
  }
}
const saves = (course: string, at: ReturnType<typeof server>, description: typeof opened) =>
  savedOverOwn(course, description!, opened!, at.save(description) as never)

test('what an answer that was lost has stored is one’s own, and saved over', async () => {
  const at = server()
  at.lose(true)
  await expect(saves('one', at, first)).rejects.toThrow('Failed to fetch')
  await expect(saves('one', at, second)).rejects.toThrow('Failed to fetch')
  at.lose(false)
  expect(await saves('one', at, theirs)).toBe('saved')
  expect(at.stored).toEqual(theirs)
})

test('what somebody else wrote is not, nor what is of another course', async () => {
  const at = server()
  at.lose(true)
  await expect(saves('two', at, first)).rejects.toThrow('Failed to fetch')
  at.lose(false)
  at.stored = theirs
  await expect(saves('two', at, second)).rejects.toMatchObject({ code: 'DESCRIPTION_CHANGED' })
  const other = server(first)
  await expect(saves('three', other, second)).rejects.toMatchObject({ code: 'DESCRIPTION_CHANGED' })
})
