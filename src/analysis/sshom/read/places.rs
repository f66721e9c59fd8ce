//! Where mutants are, as text: a line per mutant, `mutant,file,function`; what follows says nothing.

use super::super::places::Places;
use super::super::points::Points;
use super::error::ConditionFileError;
use super::error::TextOrigin;
use super::groups::by_name;

/// Places, and how many lines were about mutants that are in no group.
pub struct PlacesRead {
    pub places: Places,
    pub unknown: usize,
}

/// Reads where mutants are.
pub fn read_places(origin: &str, text: &str, points: &Points) -> Result<PlacesRead, ConditionFileError> {
    let names = by_name(points);
    let mut read = PlacesRead { places: Places::new(points.mutants()), unknown: 0 };
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let mut fields = line.split(',').map(str::trim);
        let (Some(mutant), Some(file), Some(function)) = (fields.next(), fields.next(), fields.next()) else {
            return Err(TextOrigin(origin).line(at + 1, "write mutant,file,function"));
        };
        let Some(mutant) = names.get(mutant) else {
            read.unknown += 1;
            continue;
        };
        if read.places.file(*mutant).is_some() {
            let problem = format!("mutant `{}` already has a place", points.name(*mutant));
            return Err(TextOrigin(origin).line(at + 1, problem));
        }
        read.places.put(*mutant, file, function);
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_and_strangers_counted() {
        let points = Points::new([vec!["a".into(), "b".into()], vec!["c".into()]]);
        let read = read_places("p", "a,F,f,+,-\nb,F,g\nc,G,f\nz,G,f\n", &points).unwrap();
        assert_eq!(read.unknown, 1);
        assert_eq!([0, 1, 2].map(|mutant| read.places.file(mutant)), [Some(0), Some(0), Some(1)]);
        assert_eq!([0, 1, 2].map(|mutant| read.places.function(mutant)), [Some(0), Some(1), Some(2)]);
        let error = read_places("p", "a,F,f\na,F,f\n", &points).err().unwrap().to_string();
        assert_eq!(error, "p:2: mutant `a` already has a place");
        assert!(read_places("p", "a,F\n", &points).is_err());
    }
}
