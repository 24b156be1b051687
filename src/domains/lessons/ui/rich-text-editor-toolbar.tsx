import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { type KeyboardEvent, useState } from 'react'
import { cn } from '../../../ui/cn.ts'
import { type Tool, toolGroups } from './rich-text-editor-tools.ts'

const tools = toolGroups.flat()

type ToolbarProps = {
  editor: Editor
  /** Id of the editing area. */
  controls: string
  /** Starts its accessible name: 'Lesson text'. */
  label: string
  linkOpen: boolean
  onLink: () => void
}

/** One stop for Tab; the arrow keys, Home and End move along it. */
export function RichTextToolbar({ editor, controls, label, linkOpen, onLink }: ToolbarProps) {
  const [current, setCurrent] = useState(0)
  const states = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      active: tools.map((tool) => tool.isActive?.(now)),
      inCode: now.isActive('codeBlock'),
    }),
  })

  function move(event: KeyboardEvent<HTMLElement>) {
    const moves: Record<string, number> = {
      ArrowRight: (current + 1) % tools.length,
      ArrowLeft: (current - 1 + tools.length) % tools.length,
      Home: 0,
      End: tools.length - 1,
    }
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    setCurrent(next)
    event.currentTarget.querySelectorAll('button')[next]?.focus()
  }

  function press(tool: Tool) {
    if (!tool.run) return onLink()
    tool.run(editor.chain().focus()).run()
  }

  return (
    <div
      role="toolbar"
      tabIndex={-1}
      aria-label={`${label}: formatting`}
      aria-controls={controls}
      onKeyDown={move}
      className={toolbarLook}
    >
      {toolGroups.map((group) => (
        <div key={group[0]?.label} className={groupLook}>
          {group.map((tool) => {
            const index = tools.indexOf(tool)
            const disabled = Boolean(tool.inline && states.inCode)
            return (
              <button
                key={tool.label}
                type="button"
                aria-label={tool.label}
                aria-pressed={tool.isActive ? Boolean(states.active[index]) : undefined}
                aria-disabled={disabled || undefined}
                aria-haspopup={tool.run ? undefined : 'dialog'}
                aria-expanded={tool.run ? undefined : linkOpen}
                title={tool.keys ? `${tool.label} (${shortcut(tool.keys)})` : tool.label}
                tabIndex={index === current ? 0 : -1}
                onFocus={() => setCurrent(index)}
                // The selection in the text must survive a press with the pointer.
                onPointerDown={(event) => event.preventDefault()}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => disabled || press(tool)}
                className={cn(
                  'grid size-9 place-items-center rounded-lg text-muted transition-colors',
                  'hover:bg-wash hover:text-ink aria-disabled:opacity-45 disabled:opacity-45',
                  'aria-pressed:bg-primary-soft aria-pressed:text-primary',
                  'aria-expanded:bg-primary-soft aria-expanded:text-primary',
                )}
              >
                <tool.icon size={18} aria-hidden />
              </button>
            )
          })}
        </div>
      ))}
    </div>
  )
}

const toolbarLook = 'flex flex-wrap gap-y-0.5 p-1 outline-none'
const groupLook = 'flex gap-px px-1 not-last:border-r not-last:border-line first:pl-0 last:pr-0'

function shortcut(keys: string) {
  const apple = /mac|iphone|ipad/i.test(navigator.userAgent)
  return apple
    ? keys.replace('Mod', '⌘').replace('Alt', '⌥').replace('Shift', '⇧').replaceAll('+', ' ')
    : keys.replace('Mod', 'Ctrl')
}
