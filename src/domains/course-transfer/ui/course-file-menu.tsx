import { Copy, Download, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { buttonClass } from '../../../ui/button.tsx'
import { Menu, MenuButton, MenuLink } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { withoutLightning } from '../../courses/rules.ts'

/** What its instructor can do with a course as a whole. */
export function CourseFileMenu({ course }: { course: { id: string; title: string } }) {
  const { revalidate } = useRevalidator()
  const hydrated = useHydrated()
  const [copying, setCopying] = useState(false)
  const title = withoutLightning(course.title)

  async function duplicate() {
    if (copying) return
    setCopying(true)
    // Where files cannot share their bytes, copying takes a while.
    const id = await toast.loading(`Copying “${title}”…`)
    const answer = await import('./course-transfer-calls.ts')
      .then((calls) => calls.duplicateCourse(course.id))
      .catch(() => ({ problem: 'Failed to copy the course. Please try again.' }))
    setCopying(false)
    if ('problem' in answer) {
      void toast.error(answer.problem, { id })
      return
    }
    void toast.success(`“${withoutLightning(answer.title)}” is a draft of yours now.`, { id })
    await revalidate()
  }

  return (
    <Menu
      label={`More: ${title}`}
      trigger={<Ellipsis size={18} aria-hidden />}
      triggerClassName={buttonClass({ variant: 'secondary', size: 'icon-sm' })}
      panelClassName="w-56"
    >
      <MenuButton disabled={!hydrated} onClick={() => void duplicate()}>
        <Copy aria-hidden />
        Duplicate
      </MenuButton>
      <MenuLink to={`/rest/v1/courses/${course.id}/export`} reloadDocument download>
        <Download aria-hidden />
        Export
      </MenuLink>
    </Menu>
  )
}
