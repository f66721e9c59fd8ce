//! The manual: `README.md`, `CONTRIBUTING.md`, `corpora/README.md` and `docs/`. `docs/contributing.md` says what is checked.

mod executed;
mod generated;
mod lines;
mod links;
mod pages;
mod shell;
mod topics;
