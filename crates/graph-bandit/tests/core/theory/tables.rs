//! The tables of the page on theory are what its example prints.

#[expect(dead_code, reason = "the example's own `main`")]
#[path = "../../../examples/theory_table.rs"]
mod theory_table;

#[test]
fn the_page_shows_the_tables_of_the_example() {
    let page = include_str!("../../../../../docs/explanations/theory.md");
    for tables in [theory_table::tables(), theory_table::guarantees()] {
        let tables = tables.unwrap();
        assert!(page.contains(&tables), "the page should show\n{tables}");
    }
}
