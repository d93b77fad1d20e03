// Where the panels come into the world: in a notebook by `render`, on a plain page by `plant`.

const KINDS = {explorer: Explorer, weights: WeightLab, confusion: ConfusionLab, desk: LabelDesk};

/** Show a panel in a place; other crawls take the place of the first. Returns what closes it. */
function settle(place, kind, scene, python) {
  let panel = null;
  const build = told => {
    panel?.close();
    panel = new KINDS[kind](told, python, async asked => build((await python.ask("crawl", asked)).scene));
    place.replaceChildren(panel.place);
  };
  build(scene);
  return () => panel.close();
}

function render({model, el: place}) {
  return settle(place, model.get("kind"), model.get("scene"), new Python(model));
}

function plant(page) {
  for (const stage of page.querySelectorAll(".fl-stage")) {
    settle(stage, stage.dataset.kind, JSON.parse(stage.nextElementSibling.textContent), new Python(null));
  }
}

export default {render};
