//! Arguments of `gbandit play`.

use clap::Args as ClapArgs;

const PLAY_EXAMPLES: &str = "Examples:
  gbandit play
  gbandit play --no-open --port 9000
  gbandit play 'http://127.0.0.1:7353/#graph=star:30&agent=g-ucb&agent=g-ts'

docs/guides/play.md walks through it.";

#[derive(Debug, ClapArgs)]
#[command(after_help = PLAY_EXAMPLES)]
pub(crate) struct PlayArgs {
    /// A shared link: the page opens with its race, whichever machine the link came from.
    #[arg(value_name = "LINK", value_parser = setup_of)]
    pub(crate) link: Option<String>,

    /// The port to listen on, on this machine only; 0 picks a free one. Default: 7353, or a free
    /// one if that is taken.
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,

    /// Do not open the browser; the address is printed in any case.
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// The set-up in a link.
fn setup_of(link: &str) -> Result<String, String> {
    let found = link.split_once('#').map(|(_, setup)| setup.to_owned());
    let wrong = || "the link has no set-up after a #; copy the whole link from the page".to_owned();
    found.filter(|setup| !setup.is_empty()).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_from_any_machine_carries_its_set_up() {
        assert_eq!(setup_of("http://127.0.0.1:9/#graph=line:3"), Ok("graph=line:3".to_owned()));
        assert_eq!(setup_of("#graph=line:3"), Ok("graph=line:3".to_owned()));
        for wrong in ["http://127.0.0.1:9/", "http://127.0.0.1:9/#", "grid:10x10"] {
            assert!(setup_of(wrong).is_err(), "{wrong}");
        }
    }
}
