// Loads the index on first use, then lists the ten best sections.
const input = document.querySelector('#search');
const results = document.querySelector('#results');
const root = document.body.dataset.root;
let loading;

function load() {
  loading ??= fetch(`${root}search.json`)
    .then((response) => response.text())
    .then((index) =>
      MiniSearch.loadJSON(index, {
        fields: ['title', 'heading', 'text'],
        storeFields: ['title', 'heading'],
        searchOptions: { boost: { heading: 3, title: 2 }, prefix: true, fuzzy: 0.1 },
      }),
    );
  return loading;
}

input.addEventListener('input', () => {
  void load().then((search) => {
    results.replaceChildren(...search.search(input.value).slice(0, 10).map(itemOf));
  });
});

function itemOf({ id, title, heading }) {
  const link = document.createElement('a');
  link.href = root + id;
  link.textContent = title === heading ? title : `${title}: ${heading}`;
  const item = document.createElement('li');
  item.append(link);
  return item;
}
