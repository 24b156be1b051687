// Moving chapters and lessons with a pointer or with keys. A line shows where the moved one will go; nothing
// changes before it is dropped.
import { type Dispatch, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ContentDraft, ContentStep } from './content-draft.ts'
import {
  isSamePlace,
  type Moved,
  type Place,
  placeName,
  placeOf,
  placesFor,
  stepTo,
} from './content-places.ts'

/** A place with its line, in pixels of the page. */
type Target = { place: Place; top: number; left: number; width: number }
type Lift = { moved: Moved; name: string; from: Place; targets: Target[]; at: number }

export type Reorder = ReturnType<typeof reorderOf>

export const handleId = (key: string) => `${key}-handle`

/** Pixels that a pointer moves before it is a drag. */
const dragFrom = 4
/** Pixels from the edge of the window, below the header and above the buttons, in which the page scrolls. */
const edge = 110

/** The same object all the time, so that no panel is drawn again on its account. */
export function useReorder(
  draft: ContentDraft,
  dispatch: Dispatch<ContentStep>,
  announce: (message: string) => void,
): Reorder {
  const [reorder] = useState(() => reorderOf(draft, dispatch, announce))
  useLayoutEffect(() => reorder.setDraft(draft), [reorder, draft])
  return reorder
}

function reorderOf(
  first: ContentDraft,
  dispatch: Dispatch<ContentStep>,
  announce: (message: string) => void,
) {
  let draft = first
  let list: HTMLElement | null = null
  let line: HTMLElement | null = null
  let lift: Lift | null = null
  let pointer: { id: number; y: number; startedAt: number } | null = null
  let scrolling = 0

  const elementOf = (key: string) => list?.querySelector(`[data-item="${CSS.escape(key)}"]`)
  const nameOf = (place: Place) => (lift ? placeName(draft, lift.moved, place) : '')

  /** All places with their lines; measured once, for nothing moves before the drop. */
  function measured(moved: Moved): Target[] {
    const items = list?.querySelectorAll<HTMLElement>('[data-item]') ?? []
    const boxes = new Map<string | undefined, DOMRect>()
    for (const item of items) boxes.set(item.dataset.item, item.getBoundingClientRect())
    const othersOf = (siblings: { key: string }[]) =>
      siblings.map(({ key }) => key).filter((key) => key !== moved.key)
    const chapters = othersOf(draft.chapters)
    const lessons = new Map(draft.chapters.map((one) => [one.key, othersOf(one.lessons)]))
    return placesFor(draft, moved).map((place) => {
      const others = moved.kind === 'chapter' ? chapters : lessons.get(place.chapter)
      const after = boxes.get(others?.[place.index])
      const before = boxes.get(others?.[place.index - 1])
      const box = after ?? before ?? boxes.get(place.chapter) ?? new DOMRect()
      const top = after && before ? (before.bottom + after.top) / 2 : (after?.top ?? box.bottom)
      return { place, top: top + scrollY, left: box.left + scrollX, width: box.width }
    })
  }

  function start(moved: Moved, name: string): Place | null {
    const from = placeOf(draft, moved)
    if (!from) return null
    const targets = measured(moved)
    const at = targets.findIndex(({ place }) => isSamePlace(place, from))
    lift = { moved, name, from, targets, at: Math.max(0, at) }
    elementOf(moved.key)?.setAttribute('data-lifted', '')
    drawLine()
    return from
  }

  function drawLine() {
    const target = lift?.targets[lift.at]
    const box = list?.getBoundingClientRect()
    if (!line) return
    line.hidden = !target
    if (!target || !box) return
    line.style.top = `${target.top - box.top - scrollY}px`
    line.style.left = `${target.left - box.left - scrollX}px`
    line.style.width = `${target.width}px`
  }

  /** Drops what is lifted where the line is, or leaves it where it was. */
  function end(isDropped: boolean, keepsFocus = true) {
    if (!lift) return
    const { moved, name, from, targets, at } = lift
    const place = targets[at]?.place ?? from
    const moves = isDropped && !isSamePlace(place, from)
    const where = nameOf(place)
    lift = null
    pointer = null
    cancelAnimationFrame(scrolling)
    elementOf(moved.key)?.removeAttribute('data-lifted')
    drawLine()
    if (moves) flushSync(() => dispatch(stepTo(moved, place)))
    announce(isDropped ? `“${name}” is now ${where}.` : `“${name}” stays where it was.`)
    if (!keepsFocus) return
    // Moving an element in the document takes its focus away.
    const handle = document.getElementById(handleId(moved.key))
    handle?.focus({ preventScroll: true })
    if (moves) handle?.scrollIntoView({ block: 'nearest' })
  }

  function moveTo(at: number) {
    if (!lift || at === lift.at || !lift.targets[at]) return
    lift.at = at
    drawLine()
    announce(nameOf(lift.targets[at].place))
  }

  function follow() {
    if (!lift || !pointer) return
    const y = pointer.y + scrollY
    const distances = lift.targets.map(({ top }) => Math.abs(top - y))
    moveTo(distances.indexOf(Math.min(...distances)))
  }

  function scrollAtEdges() {
    if (!lift || !pointer) return
    const above = edge - pointer.y
    const below = pointer.y - (innerHeight - edge)
    const by = above > 0 ? -above : Math.max(0, below)
    if (by !== 0) scrollBy({ top: by / 6, behavior: 'instant' })
    follow()
    scrolling = requestAnimationFrame(scrollAtEdges)
  }

  return {
    setDraft(next: ContentDraft) {
      draft = next
    },
    setList(element: HTMLElement | null) {
      list = element
    },
    setLine(element: HTMLElement | null) {
      line = element
    },
    pressed(handle: Element, event: PointerEvent) {
      if (event.button !== 0 || lift) return
      pointer = { id: event.pointerId, y: event.clientY, startedAt: event.clientY }
      handle.setPointerCapture(event.pointerId)
    },
    dragged(moved: Moved, name: string, event: PointerEvent) {
      if (pointer?.id !== event.pointerId) return
      pointer.y = event.clientY
      if (lift) follow()
      else if (Math.abs(pointer.y - pointer.startedAt) > dragFrom && start(moved, name))
        scrollAtEdges()
    },
    released: () => {
      if (pointer) end(true)
      pointer = null
    },
    /** Space or Enter: lifts, and drops. */
    activated(moved: Moved, name: string) {
      if (lift) return end(true)
      const from = start(moved, name)
      if (!from) return
      announce(
        `“${name}” is lifted, ${nameOf(from)}. Arrow keys move it, Space drops it, Escape cancels.`,
      )
    },
    /** True when the key was meant for what is lifted. */
    keyPressed(key: string): boolean {
      if (!lift) return false
      const { at, targets } = lift
      const moves: Record<string, number> = {
        ArrowUp: at - 1,
        ArrowDown: at + 1,
        Home: 0,
        End: targets.length - 1,
      }
      if (key === 'Escape') end(false)
      else if (key in moves) {
        moveTo(moves[key]!)
        line?.scrollIntoView({ block: 'nearest' })
      } else return false
      return true
    },
    left: () => end(false, false),
  }
}
