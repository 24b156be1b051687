import type { DemoCreator } from './demo-shape.ts'

export const tomasRivera: DemoCreator = {
  name: 'Tomás Rivera',
  bio: 'Photographer and evening-school drawing teacher in Valencia. I care more about looking than about gear.',
  verified: true,
  courses: [
    {
      title: 'See the Light: Photography with the Phone You Have',
      shortDescription:
        'Six short walks that teach you light, distance and timing. No new camera needed.',
      description: `Your phone already takes sharp pictures. What it cannot do is decide where to stand. This course is six walks of twenty minutes, each with one thing to look for and ten pictures to bring home.

At the end you will have a set of twelve photographs of your own street that you would hang up.`,
      category: 'Photography',
      level: 'Beginner',
      chapters: [
        {
          title: 'Light',
          lessons: [
            {
              title: 'Walk 1: where shadows fall',
              text: `Go out an hour before sunset. Photograph the same door from the left, from the right and with the sun behind you. Compare them at home and say aloud which one shows what the door is made of.

Side light shows texture. You will use that sentence for years.`,
            },
            {
              title: 'Walk 2: tap to choose what is bright',
              text: `Tap on the brightest thing that still matters, then pull the little sun down until it has colour. Dark parts may stay dark. A picture that shows everything says nothing in particular.`,
            },
          ],
        },
        {
          title: 'Place',
          lessons: [
            {
              title: 'Walk 3: three steps closer',
              text: `Whatever you want to photograph, take the picture, then take three steps towards it and take it again. Do it ten times. Count how often the second is better. For most people it is nine.`,
            },
            {
              title: 'Walk 4: edges',
              text: `Before you press, run your eye once around the border of the frame. Half a bin, a stranger's elbow, a bright sign: move until they are gone or until they are the subject.`,
            },
          ],
        },
        {
          title: 'Time',
          lessons: [
            {
              title: 'Walk 5: stand and wait',
              text: `Find a good background, compose it, and wait for somebody to walk in. Ten minutes feel long. This is how most of the street photographs that you admire were made.`,
            },
            {
              title: 'Walk 6: choose twelve',
              text: `You now have about sixty pictures. Choose twelve, quickly, then sleep, then swap three. Put them in an order in which each one has something to do with the next.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Portraits by a Window',
      shortDescription:
        'A window, a white sheet and a person you like: portraits that do them justice.',
      description: `Studio light imitates windows, so start with the original. You will learn where to seat people, what to say to them, and how a bedsheet replaces a thousand euros of equipment.`,
      category: 'Photography',
      level: 'Intermediate',
      chapters: [
        {
          title: 'The room',
          lessons: [
            {
              title: 'Choose the window',
              text: `North-facing is kindest, but any window works when the sun is not in it. Turn off every lamp: mixed colours of light are what makes skin look ill.`,
            },
            {
              title: 'Turn the chair, not the person',
              text: `Begin with the window at the side, then turn the chair a little towards it until the far cheek has a small triangle of light. Painters have used it since Rembrandt because it gives a face its shape.`,
            },
            {
              title: 'A sheet is a second window',
              text: `Hang a white sheet on the dark side, an arm's length away. Move it closer and the shadows open. Move it away and the picture gets serious.`,
            },
          ],
        },
        {
          title: 'The person',
          lessons: [
            {
              title: 'Give them something to do',
              text: `“Relax” has never relaxed anybody. Ask them to look out of the window and tell you about the last meal they really enjoyed. Take the picture just after they finish.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Draw What You See',
      shortDescription:
        'Ten exercises that switch off the symbols in your head and let your eyes do the drawing.',
      description: `People who “cannot draw” draw what they know: an eye is an almond, a tree is a lollipop. These exercises make knowing impossible for a while, so that looking can take over.

A pencil, cheap paper, half an hour a day for ten days.`,
      category: 'Art',
      level: 'Beginner',
      chapters: [
        {
          title: 'Unlearn',
          lessons: [
            {
              title: 'Upside down',
              text: `Turn a line drawing on its head and copy it, line by line, from the top. Do not turn it back before you are done. It will be the best drawing you have made in years, because you did not know what you were drawing.`,
            },
            {
              title: 'Blind contour',
              text: `Look only at your hand, never at the paper. Let the pencil creep along the edge at the speed of your eye. The result looks like a mitten in a storm. The looking is the exercise.`,
            },
            {
              title: 'The shapes in between',
              text: `Draw a chair by drawing only the air around and between its legs. Those shapes have no names, so you cannot cheat.`,
            },
          ],
        },
        {
          title: 'Measure',
          lessons: [
            {
              title: 'The pencil at arm’s length',
              text: `Lock your elbow, close one eye, and mark a height with your thumb. How many times does the cup fit into the jug? Relations first, details last.`,
            },
            {
              title: 'Five values',
              text: `Shade a strip in five steps from paper to black. Now squint at your still life until there are only five tones in it, and give each one its step. It has depth before it has detail.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Watercolour Skies',
      shortDescription:
        'Wet paper, three pigments and the courage to stop: skies in twenty minutes each.',
      description: `Watercolour rewards those who decide early and stop early. Skies are the best place to practise both. We paint four of them, from a flat blue to a storm.`,
      category: 'Art',
      level: 'Intermediate',
      chapters: [
        {
          title: 'Water first',
          lessons: [
            {
              title: 'How wet is wet?',
              text: `Tilt the sheet to the light. Mirror: too wet, colour runs away. Satin: soft edges. Dull: hard edges. Learn the three by looking, not by counting seconds.`,
            },
            {
              title: 'A flat wash without stripes',
              text: `Tip the board by two fingers, load the brush fully, and pull a bead of colour from side to side. Never go back. A stripe that you leave alone dries lighter than one that you repair.`,
            },
          ],
        },
        {
          title: 'Four skies',
          lessons: [
            {
              title: 'Summer blue with a cloud',
              text: `Wet everything but the cloud, drop in ultramarine from above, and let it find the dry edge. Lift the cloud's belly with a tissue after a minute.`,
            },
            {
              title: 'Before the storm',
              text: `Ultramarine with burnt sienna makes a grey that stays alive. Drop it into satin paper, tilt, and stop while it still looks wrong. It dries right.`,
            },
          ],
        },
      ],
    },
  ],
}
