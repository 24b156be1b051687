import { useLayoutEffect, useRef } from 'react'

/**
 * Where the form of a post that is edited stands just now. The list is loaded anew in another order, and may have the
 * post no more: `home` moves with all that is in it, such as files, where a form that React puts elsewhere begins anew.
 */
export function EditPlace({ id, home }: { id: string; home: HTMLElement }) {
  const place = useRef<HTMLDivElement>(null)
  // Before the form in it takes the focus.
  useLayoutEffect(() => place.current?.append(home), [home])
  return <div ref={place} id={id} className="scroll-mt-24" />
}
